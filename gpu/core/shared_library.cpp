#include "gpu/core/shared_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace warploom {

namespace {

void* opened(const std::filesystem::path& path) { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); }

}  // namespace

SharedLibrary::SharedLibrary(const std::string& name) {
  if (const char* folders = std::getenv("WARPLOOM_VENDOR_LIBRARIES")) {
    std::istringstream all(folders);
    for (std::string folder; !handle_ && std::getline(all, folder, ':');)
      handle_ = opened(std::filesystem::path(folder) / name);
  }
  if (!handle_) handle_ = opened(name);
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* toolkit = std::getenv(variable); toolkit && !handle_)
      handle_ = opened(std::filesystem::path(toolkit) / "lib64" / name);
  if (!handle_) handle_ = opened(std::filesystem::path("/usr/local/cuda/lib64") / name);
}

void* SharedLibrary::address_of(const char* name) const { return handle_ ? dlsym(handle_, name) : nullptr; }

}  // namespace warploom
