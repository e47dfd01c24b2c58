#include "viewer/interop/measure.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/stopwatch.h"
#include "viewer/gl/framebuffer.h"
#include "viewer/gl/present.h"
#include "viewer/gl/state.h"
#include "viewer/interop/cuda_image.h"
#include "viewer/interop/cuda_memory.h"
#include "viewer/interop/surface.h"

namespace warploom::interop {
namespace {

/// Kernels first: unmapping orders OpenGL's work after them, but glFinish alone, without a draw, need not wait for
/// them.
void settle(InteropMode mode, void* stream) {
  if (mode != InteropMode::upload) synchronise(stream);
  gl::finish();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

PresentTimes measure_present(InteropMode mode, const Write& write, void* stream, int width, int height, int samples) {
  if (mode == InteropMode::none) throw Error("nothing is presented on --interop none");
  gl::Presenter presenter;
  const gl::Framebuffer screen(width, height);
  const gl::Viewport all{0, 0, width, height};
  Surface surface(mode, width, height);
  Surface* const surfaces[] = {&surface};
  gl::Texture bare_texture(width, height);
  std::optional<CudaImage> bare_image;
  if (mode == InteropMode::gl) bare_image.emplace(bare_texture);
  screen.bind();

  const auto write_through_surface = [&] {
    FrameWrite frame(surfaces, stream);
    write(frame.target(0), stream);
    frame.finish();
  };
  const auto bare = [&] {
    if (!bare_image) return write_through_surface();
    CudaImage* const images[] = {&*bare_image};
    CudaImage::map(images, stream);
    write({.surface = bare_image->surface(), .pixels = nullptr, .width = width, .height = height}, stream);
    CudaImage::unmap(images, stream);
  };
  const auto present = [&] {
    write_through_surface();
    presenter.draw(surface.texture(), all, height);
  };
  const auto timed = [&](const auto& frame) {
    settle(mode, stream);
    return milliseconds_of([&] {
      frame();
      settle(mode, stream);
    });
  };

  for (int i = 0; i < std::min(samples, 20); ++i) bare(), present();
  const auto cleared = [&] {
    write_through_surface();
    gl::clear(rgba(0, 0, 0));
  };
  std::vector<double> bare_times, present_times, clear_times;
  for (int i = 0; i < std::max(samples, 1); ++i) {
    bare_times.push_back(timed(bare));
    present_times.push_back(timed(present));
    clear_times.push_back(timed(cleared));
  }
  gl::check_errors("measuring the presentation of pictures");
  return {median(present_times), median(bare_times), median(clear_times), static_cast<int>(bare_times.size())};
}

}  // namespace warploom::interop
