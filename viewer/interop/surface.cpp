#include "viewer/interop/surface.h"

#include <chrono>
#include <optional>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/stopwatch.h"

namespace warploom::interop {

using Clock = std::chrono::steady_clock;

Surface::Surface(InteropMode mode, int width, int height, Backend backend) : width_(width), height_(height) {
  if (width < 1 || height < 1)
    throw UsageError("a picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels");
  if (mode != InteropMode::none) texture_.emplace(width, height);
  if (mode == InteropMode::gl) image_.emplace(*texture_);
  if (mode == InteropMode::staged || (mode == InteropMode::none && backend == Backend::cuda))
    device_.emplace(MemoryKind::device, bytes());
  if (mode == InteropMode::staged) pinned_.emplace(MemoryKind::pinned, bytes());
  if (mode == InteropMode::upload || (mode == InteropMode::none && backend == Backend::cpu)) host_.resize(count());
}

gl::Texture& Surface::texture() {
  if (!texture_) throw Error("a picture of --interop none has no texture to draw");
  return *texture_;
}

std::vector<Rgba> Surface::read() const {
  if (texture_) return texture_->download();
  if (!device_) return host_;
  std::vector<Rgba> pixels(count());
  copy(pixels.data(), device_->data(), bytes(), nullptr);
  synchronise(nullptr);
  return pixels;
}

FrameWrite::FrameWrite(std::span<Surface* const> surfaces, void* stream)
    : surfaces_(surfaces.begin(), surfaces.end()), stream_(stream) {
  const auto begin = Clock::now();
  std::vector<CudaImage*> images;
  for (Surface* surface : surfaces_)
    if (auto& image = surface->image_) images.push_back(&*image);
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
  Surface& to = *surfaces_.at(i);
  PixelTarget target{.surface = 0, .pixels = nullptr, .width = to.width_, .height = to.height_};
  if (to.image_)
    target.surface = to.image_->surface();
  else
    target.pixels = to.device_ ? static_cast<Rgba*>(to.device_->data()) : to.host_.data();
  return target;
}

void FrameWrite::finish() {
  if (std::exchange(finished_, true)) return;
  std::vector<CudaImage*> images;
  bool copies = false;
  for (Surface* surface : surfaces_) {
    if (auto& image = surface->image_) images.push_back(&*image);
    copies = copies || surface->device_;
  }
  if (copies) synchronise(stream_);  // the kernels' own time, before the clock starts
  const auto begin = Clock::now();
  CudaImage::unmap(images, stream_);
  for (Surface* surface : surfaces_) {
    if (surface->pinned_) copy(surface->pinned_->data(), surface->device_->data(), surface->bytes(), stream_);
  }
  if (copies) synchronise(stream_);
  for (Surface* surface : surfaces_) {
    if (surface->pinned_)
      surface->texture_->upload({static_cast<const Rgba*>(surface->pinned_->data()), surface->count()});
    if (surface->texture_ && !surface->host_.empty()) surface->texture_->upload(surface->host_);
  }
  milliseconds_ += milliseconds_since(begin);
}

}  // namespace warploom::interop
