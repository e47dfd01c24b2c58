// Compiles a source for a device by NVRTC, which is opened here: it cannot be cancelled, so its process is ended.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "gpu/core/shared_library.h"
#include "gpu/own/host/host.h"

namespace warploom::own {

namespace {

/// The functions of NVRTC that are needed, as it declares them; results other than 0 are errors.
struct Nvrtc {
  using Program = void*;
  int (*create)(Program*, const char* source, const char* name, int headers, const char* const* texts,
                const char* const* names) = nullptr;
  int (*compile)(Program, int options, const char* const* words) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*code_size)(Program, std::size_t*) = nullptr;
  int (*code)(Program, char*) = nullptr;

  bool load(const SharedLibrary& library) {
    return library.find("nvrtcCreateProgram", create) && library.find("nvrtcCompileProgram", compile) &&
           library.find("nvrtcGetProgramLogSize", log_size) && library.find("nvrtcGetProgramLog", log) &&
           library.find("nvrtcGetCUBINSize", code_size) && library.find("nvrtcGetCUBIN", code);
  }
};

}  // namespace

int tell_nvrtc(const std::string& name) {
  const SharedLibrary library(name);
  int (*version)(int*, int*) = nullptr;
  int major = 0, minor = 0;
  if (!library.there() || !library.find("nvrtcVersion", version) || version(&major, &minor) != 0) return 3;
  std::printf("%d.%d", major, minor);
  return 0;
}

int compile_for_device(const std::vector<std::string>& words) {
  if (words.size() < 3) return 2;
  const std::string &name = words[0], &from = words[1], &to = words[2];
  const SharedLibrary library(name);
  Nvrtc nvrtc;
  if (!library.there() || !nvrtc.load(library)) {
    std::printf("%s is not there\n", name.c_str());
    return 3;
  }
  std::ifstream file(from, std::ios::binary);
  const std::string source((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Nvrtc::Program program = nullptr;
  if (nvrtc.create(&program, source.c_str(), "own.cu", 0, nullptr, nullptr) != 0) return 4;
  std::vector<const char*> options;
  for (std::size_t i = 3; i < words.size(); ++i) options.push_back(words[i].c_str());
  const int failed = nvrtc.compile(program, static_cast<int>(options.size()), options.data());
  std::size_t size = 0;
  if (nvrtc.log_size(program, &size) == 0 && size > 1) {
    std::string log(size, '\0');
    nvrtc.log(program, log.data());
    std::fwrite(log.data(), 1, size - 1, stdout);
  }
  if (failed) return 1;
  if (nvrtc.code_size(program, &size) != 0 || size == 0) return 4;
  std::string code(size, '\0');
  if (nvrtc.code(program, code.data()) != 0) return 4;
  std::ofstream out(to, std::ios::binary);
  out.write(code.data(), static_cast<std::streamsize>(size));
  return out.flush() ? 0 : 5;
}

}  // namespace warploom::own
