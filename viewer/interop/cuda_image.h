#pragma once
#include <cstdint>
#include <span>

#include "viewer/gl/texture.h"

namespace warploom::interop {

/// An OpenGL texture registered with CUDA, so that kernels write it without a copy. The texture must outlive it, and
/// the OpenGL context be current wherever one is made, mapped, unmapped or destroyed. All throw Error as CUDA fails.
class CudaImage {
 public:
  explicit CudaImage(const gl::Texture& texture);
  CudaImage(const CudaImage&) = delete;
  CudaImage& operator=(const CudaImage&) = delete;
  ~CudaImage();

  /// Gives all images to CUDA in one call: OpenGL may not use them until they are unmapped. Draws issued before are
  /// done before work issued to `stream` (a cudaStream_t) after.
  static void map(std::span<CudaImage* const> images, void* stream);
  /// Gives them back: work issued to `stream` before is done before draws issued after.
  static void unmap(std::span<CudaImage* const> images, void* stream);

  std::uint64_t surface() const { return surface_; }

  /// Whether this OpenGL context runs on CUDA's current device, which sharing needs. Throws Error that says why not.
  static void require_shared_device();

 private:
  void find_surface();
  void* resource_ = nullptr;
  void* array_ = nullptr;  ///< what surface_ was made of; CUDA may give another one at each mapping
  void* used_ = nullptr;   ///< an event: the last work that wrote it
  std::uint64_t surface_ = 0;
};

}  // namespace warploom::interop
