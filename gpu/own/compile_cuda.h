#pragma once
#include <string>

namespace warploom {

/// NVRTC, as a process of its own opens it (gpu/own/host/nvrtc.cpp).
struct DeviceCompiler {
  std::string library;       ///< "libnvrtc.so.13"
  std::string name;          ///< "NVRTC 13.0"
  std::string architecture;  ///< of the device in use: "sm_90"
  int version = 0;           ///< the first number of its version
};

/// Throws Error that says what to install.
DeviceCompiler find_device_compiler();

/// The folder of CUDA's headers. Throws Error that says what to install.
std::string cuda_headers();

/// What NVRTC says, as g++ would write it: "FILE(LINE): error: what" becomes "FILE:LINE:COLUMN: error: what".
std::string nvrtc_messages(const std::string& output);

}  // namespace warploom
