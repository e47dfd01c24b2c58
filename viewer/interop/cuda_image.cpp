#include "viewer/interop/cuda_image.h"

#include "gpu/core/error.h"
#include "viewer/gl/state.h"

#if WARPLOOM_WITH_CUDA
#include <glad/gl.h>
// glad first: it stands in for the system's OpenGL header.
#include <cuda_gl_interop.h>

#include <utility>
#include <vector>

#include "gpu/core/cuda_check.h"

namespace warploom::interop {
namespace {

auto* resource_of(void* resource) { return static_cast<cudaGraphicsResource*>(resource); }
auto event_of(void* event) { return static_cast<cudaEvent_t>(event); }

}  // namespace

CudaImage::CudaImage(const gl::Texture& texture) {
  cudaEvent_t event = nullptr;
  WARPLOOM_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  cudaGraphicsResource* resource = nullptr;
  try {
    WARPLOOM_CUDA(
        cudaGraphicsGLRegisterImage(&resource, texture.id(), GL_TEXTURE_2D, cudaGraphicsRegisterFlagsSurfaceLoadStore));
  } catch (...) {  // no destructor runs for an object that was never made
    cudaEventDestroy(event);
    throw;
  }
  used_ = event;
  resource_ = resource;
}

CudaImage::~CudaImage() {
  // A kernel may still be writing: its surface may not go before it ends. Errors here have no one to go to; the
  // next call to CUDA meets them again.
  cudaEventSynchronize(event_of(used_));
  if (surface_) cudaDestroySurfaceObject(surface_);
  cudaGraphicsUnregisterResource(resource_of(resource_));
  cudaEventDestroy(event_of(used_));
}

void CudaImage::map(std::span<CudaImage* const> images, void* stream) {
  if (images.empty()) return;
  std::vector<cudaGraphicsResource*> resources;
  for (const CudaImage* image : images) resources.push_back(resource_of(image->resource_));
  const auto count = static_cast<int>(resources.size());
  WARPLOOM_CUDA(cudaGraphicsMapResources(count, resources.data(), static_cast<cudaStream_t>(stream)));
  try {
    for (CudaImage* image : images) image->find_surface();
  } catch (...) {
    cudaGraphicsUnmapResources(count, resources.data(), static_cast<cudaStream_t>(stream));
    throw;
  }
}

void CudaImage::unmap(std::span<CudaImage* const> images, void* stream) {
  if (images.empty()) return;
  std::vector<cudaGraphicsResource*> resources;
  for (const CudaImage* image : images) {
    resources.push_back(resource_of(image->resource_));
    WARPLOOM_CUDA(cudaEventRecord(event_of(image->used_), static_cast<cudaStream_t>(stream)));
  }
  WARPLOOM_CUDA(cudaGraphicsUnmapResources(static_cast<int>(resources.size()), resources.data(),
                                           static_cast<cudaStream_t>(stream)));
}

void CudaImage::find_surface() {
  cudaArray_t array = nullptr;
  WARPLOOM_CUDA(cudaGraphicsSubResourceGetMappedArray(&array, resource_of(resource_), 0, 0));
  if (surface_ && array == array_) return;
  if (surface_) {
    WARPLOOM_CUDA(cudaEventSynchronize(event_of(used_)));
    WARPLOOM_CUDA(cudaDestroySurfaceObject(std::exchange(surface_, 0)));
  }
  cudaResourceDesc description{};
  description.resType = cudaResourceTypeArray;
  description.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  WARPLOOM_CUDA(cudaCreateSurfaceObject(&surface, &description));
  surface_ = surface;
  array_ = array;
}

void CudaImage::require_shared_device() {
  // Asked first: on a foreign OpenGL some CUDA drivers fail without a reason.
  if (gl::vendor().find("NVIDIA") == std::string::npos)
    throw Error("OpenGL runs on " + gl::renderer() + ", not on the CUDA device");
  int current = 0, devices[16] = {};
  unsigned count = 0;
  WARPLOOM_CUDA(cudaGetDevice(&current));
  WARPLOOM_CUDA(cudaGLGetDevices(&count, devices, 16, cudaGLDeviceListAll));
  for (unsigned i = 0; i < count; ++i)
    if (devices[i] == current) return;
  throw Error("OpenGL runs on another GPU than CUDA device " + std::to_string(current));
}

}  // namespace warploom::interop

#else

namespace warploom::interop {

CudaImage::CudaImage(const gl::Texture&) { require_shared_device(); }
CudaImage::~CudaImage() {}  // none is ever made
void CudaImage::map(std::span<CudaImage* const>, void*) {}
void CudaImage::unmap(std::span<CudaImage* const>, void*) {}
void CudaImage::require_shared_device() { throw CudaUnavailable("this program was built without CUDA"); }

}  // namespace warploom::interop
#endif
