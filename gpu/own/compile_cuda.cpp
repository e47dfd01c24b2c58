#include "gpu/own/compile_cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <regex>
#include <string_view>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/own/compiling.h"

namespace warploom {

DeviceCompiler find_device_compiler() {
  // Of the toolkit that the program was built with: a device's code is of one major version. Without one nothing is
  // run, but texts can be compiled, to be checked.
  const CudaStatus& cuda = cuda_status();
  const std::string library =
      "libnvrtc.so." + (cuda.runtime.empty() ? "13" : cuda.runtime.substr(0, cuda.runtime.find('.')));
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static std::string version;  // from a cold disk it may come too late once
  if (version.empty()) version = said({own_host().string(), "--nvrtc-version", library});
  if (version.empty())
    throw Error(
        fmt::format("no NVRTC ({}), which compiles own maps for the device: install the CUDA toolkit, or name "
                    "its folder in WARPLOOM_VENDOR_LIBRARIES; or run them on the CPU: --backend cpu",
                    library));
  std::string architecture = "sm_";
  for (const char letter : cuda.compute_capability.empty() ? std::string("90") : cuda.compute_capability)
    if (letter != '.') architecture += letter;
  return {library, "NVRTC " + version, architecture, std::atoi(version.c_str())};
}

std::string cuda_headers() {
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH", ""}) {
    const char* folder = *variable ? std::getenv(variable) : "/usr/local/cuda";
    if (!folder || !*folder) continue;
    const std::filesystem::path headers = std::filesystem::path(folder) / "include";
    if (std::filesystem::exists(headers / "mma.h")) return headers.string();
  }
  throw Error(
      "no headers of CUDA (mma.h), which this map needs: install the CUDA toolkit, or name its folder in CUDA_HOME; or "
      "choose a map without tensor cores");
}

std::string nvrtc_messages(const std::string& output) {
  static const std::regex told(R"(^(.+)\((\d{1,9})\): (error|catastrophic error|warning)(?: #\S+)?: ?(.*)$)");
  static const std::regex from(R"(^.* at line (\d{1,9})(?: of (\S+))?$)");
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < output.size();) {
    const auto end = std::min(output.find('\n', begin), output.size());
    constexpr std::size_t longest = 2000;  // expressions over text go as deep as it is long
    lines.push_back(output.substr(begin, std::min(end - begin, longest)));
    begin = end + 1;
  }
  std::string all, file;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (std::regex_match(lines[i], match, told)) {
      file = match[1];
      // Two lines below, under what it quotes of the source, stands a mark; both are indented by two.
      std::string column;
      if (i + 2 < lines.size())
        if (const auto mark = lines[i + 2].find_first_not_of(' ');
            mark != std::string::npos && lines[i + 2][mark] == '^')
          column = fmt::format("{}:", std::max<std::size_t>(mark, 2) - 1);
      std::string what = match[4];
      constexpr std::string_view asserted = "static assertion failed with ";
      // Our words, whose quotes it does not print.
      static const std::regex quoted(R"(\?(\w+)\?)");
      if (what.starts_with(asserted))
        what = "static assertion failed: " + std::regex_replace(what.substr(asserted.size()), quoted, "`$1`");
      all += fmt::format("{}:{}:{} {}: {}\n", file, match[2].str(), column, match[3] == "warning" ? "warning" : "error",
                         what);
    } else if (std::regex_match(lines[i], match, from)) {
      all += fmt::format("{}:{}: note: required from here\n", match[2].matched ? match[2].str() : file, match[1].str());
    }
  }
  return all.empty() ? output : all;
}

}  // namespace warploom
