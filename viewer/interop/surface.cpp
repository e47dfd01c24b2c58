#include "viewer/interop/surface.h"

#include <chrono>
#include <optional>
#include <utility>

#include "gpu/core/error.h"
#include "viewer/interop/cuda_image.h"
#include "viewer/interop/cuda_memory.h"

namespace warploom::interop {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

}  // namespace

/// Only what the mode needs is there. Members go in reverse order: an image before the texture that it registers.
struct Surface::Storage {
  int width, height;
  std::optional<gl::Texture> texture;  ///< all but none
  std::optional<CudaImage> image;      ///< gl
  std::optional<CudaMemory> device;    ///< staged; none on CUDA
  std::optional<CudaMemory> pinned;    ///< staged
  std::vector<Rgba> host;              ///< upload; none on the CPU

  std::size_t count() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
  std::size_t bytes() const { return count() * sizeof(Rgba); }
};

Surface::Surface(InteropMode mode, int width, int height, Backend backend)
    : storage_(new Storage{width, height, {}, {}, {}, {}, {}}) {
  if (width < 1 || height < 1)
    throw UsageError("a picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels");
  if (mode != InteropMode::none) storage_->texture.emplace(width, height);
  if (mode == InteropMode::gl) storage_->image.emplace(*storage_->texture);
  if (mode == InteropMode::staged || (mode == InteropMode::none && backend == Backend::cuda))
    storage_->device.emplace(MemoryKind::device, storage_->bytes());
  if (mode == InteropMode::staged) storage_->pinned.emplace(MemoryKind::pinned, storage_->bytes());
  if (mode == InteropMode::upload || (mode == InteropMode::none && backend == Backend::cpu))
    storage_->host.resize(storage_->count());
}

Surface::~Surface() = default;

int Surface::width() const { return storage_->width; }
int Surface::height() const { return storage_->height; }

gl::Texture& Surface::texture() {
  if (!storage_->texture) throw Error("a picture of --interop none has no texture to draw");
  return *storage_->texture;
}

std::vector<Rgba> Surface::read() const {
  if (storage_->texture) return storage_->texture->download();
  if (!storage_->device) return storage_->host;
  std::vector<Rgba> pixels(storage_->count());
  copy(pixels.data(), storage_->device->data(), storage_->bytes(), nullptr);
  synchronise(nullptr);
  return pixels;
}

FrameWrite::FrameWrite(std::span<Surface* const> surfaces, void* stream)
    : surfaces_(surfaces.begin(), surfaces.end()), stream_(stream) {
  const auto begin = Clock::now();
  std::vector<CudaImage*> images;
  for (Surface* surface : surfaces_)
    if (auto& image = surface->storage_->image) images.push_back(&*image);
  CudaImage::map(images, stream_);
  milliseconds_ = milliseconds_since(begin);
}

FrameWrite::~FrameWrite() {
  try {
    finish();
  } catch (const std::exception&) {
    // A destructor may not throw, and what failed in CUDA fails again at its next call.
  }
}

PixelTarget FrameWrite::target(std::size_t i) const {
  Surface::Storage& storage = *surfaces_.at(i)->storage_;
  PixelTarget target{.surface = 0, .pixels = nullptr, .width = storage.width, .height = storage.height};
  if (storage.image)
    target.surface = storage.image->surface();
  else
    target.pixels = storage.device ? static_cast<Rgba*>(storage.device->data()) : storage.host.data();
  return target;
}

void FrameWrite::finish() {
  if (std::exchange(finished_, true)) return;
  std::vector<CudaImage*> images;
  bool copies = false;
  for (Surface* surface : surfaces_) {
    if (auto& image = surface->storage_->image) images.push_back(&*image);
    copies = copies || surface->storage_->device;
  }
  if (copies) synchronise(stream_);  // the kernels' own time, before the clock starts
  const auto begin = Clock::now();
  CudaImage::unmap(images, stream_);
  for (Surface* surface : surfaces_) {
    Surface::Storage& storage = *surface->storage_;
    if (storage.pinned) copy(storage.pinned->data(), storage.device->data(), storage.bytes(), stream_);
  }
  if (copies) synchronise(stream_);
  for (Surface* surface : surfaces_) {
    Surface::Storage& storage = *surface->storage_;
    if (storage.pinned) storage.texture->upload({static_cast<const Rgba*>(storage.pinned->data()), storage.count()});
    if (storage.texture && !storage.host.empty()) storage.texture->upload(storage.host);
  }
  milliseconds_ += milliseconds_since(begin);
}

}  // namespace warploom::interop
