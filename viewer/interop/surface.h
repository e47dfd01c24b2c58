#pragma once
#include <optional>
#include <span>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/core/pixels.h"
#include "viewer/gl/texture.h"
#include "viewer/interop/cuda_image.h"
#include "viewer/interop/cuda_memory.h"
#include "viewer/interop/interop_mode.h"

namespace warploom::interop {

/// A picture that the backend writes and OpenGL draws, by whichever mode. Needs its OpenGL context (none: needs none)
/// at its making, writing and destruction; destroying it waits for the kernels that write it.
class Surface {
 public:
  /// Contents undefined. `backend` counts on the mode `none` alone, where nothing else tells it.
  /// Throws UsageError for a size that OpenGL does not take, Error when memory or CUDA fails.
  Surface(InteropMode mode, int width, int height, Backend backend = Backend::cpu);

  /// What OpenGL draws, row 0 at the top. Throws Error on the mode `none`.
  gl::Texture& texture();
  /// The picture, top row first. Waits for the last finished FrameWrite.
  std::vector<Rgba> read() const;
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  friend class FrameWrite;
  std::size_t count() const { return static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_); }
  std::size_t bytes() const { return count() * sizeof(Rgba); }

  // What the mode needs. Members go in reverse order: an image before the texture that it registers.
  int width_, height_;
  std::optional<gl::Texture> texture_;  ///< all but none
  std::optional<CudaImage> image_;      ///< gl
  std::optional<CudaMemory> device_;    ///< staged; none on CUDA
  std::optional<CudaMemory> pinned_;    ///< staged
  std::vector<Rgba> host_;              ///< upload; none on the CPU
};

/// The scope in which a frame's kernels write their surfaces. OpenGL may not draw these surfaces within it.
class FrameWrite {
 public:
  /// Gives the surfaces to the backend, all in one call. Work must be issued to `stream` (a cudaStream_t; ignored by
  /// the CPU backend). The surfaces outlive this. Throws Error as CUDA fails.
  FrameWrite(std::span<Surface* const> surfaces, void* stream);
  FrameWrite(const FrameWrite&) = delete;
  FrameWrite& operator=(const FrameWrite&) = delete;
  /// Finishes where that was not done; an error is then lost.
  ~FrameWrite();

  /// Where to write surface i; each of its pixels must be written. Valid until finish().
  PixelTarget target(std::size_t i) const;

  /// Gives them to OpenGL. gl: waits for nothing. staged: waits for the stream and copies. upload: copies what was
  /// written before. Throws Error as CUDA fails.
  void finish();

  /// How long the host was busy with giving and taking, in milliseconds, once finished: the caller's own work between
  /// the two, and the wait for its kernels, are not in it.
  double write_time_ms() const { return milliseconds_; }

 private:
  std::vector<Surface*> surfaces_;
  void* stream_;
  double milliseconds_ = 0;
  bool finished_ = false;
};

}  // namespace warploom::interop
