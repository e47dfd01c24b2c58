#pragma once
/// Only for sources that are compiled as CUDA, or link its runtime.
#include <cuda_runtime.h>

#include <string>

#include "gpu/core/error.h"
#include "gpu/core/queue.h"

namespace warploom {

/// Throws Error with the call's text, place, number, name and meaning.
inline void check_cuda(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  throw Error(std::string("CUDA error ") + std::to_string(static_cast<int>(status)) + " (" + cudaGetErrorName(status) +
              ": " + cudaGetErrorString(status) + ") in " + call + " at " + file + ":" + std::to_string(line));
}

#define WARPLOOM_CUDA(call) ::warploom::check_cuda((call), #call, __FILE__, __LINE__)

inline cudaStream_t stream_of(const Queue& queue) { return static_cast<cudaStream_t>(queue.stream()); }

/// Of the device that the calling thread is on. Throws Error.
inline int device_attribute(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  WARPLOOM_CUDA(cudaGetDevice(&device));
  WARPLOOM_CUDA(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

/// Throws Error.
inline cudaEvent_t make_event(unsigned flags) {
  cudaEvent_t event = nullptr;
  WARPLOOM_CUDA(cudaEventCreateWithFlags(&event, flags));
  return event;
}

}  // namespace warploom
