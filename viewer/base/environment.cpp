#include "viewer/base/environment.h"

#include <ctime>

namespace warploom {

nlohmann::ordered_json environment(Backend backend, const std::string& gl_renderer, const std::string& interop) {
  const auto text = [](const std::string& value) {
    return value.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
  };
  nlohmann::ordered_json all;
  const bool cuda = backend == Backend::cuda;
  all["backend"] = name(backend);
  all["device"] = cuda ? text(cuda_status().device_name) : text(cpu_name());
  all["compute_capability"] = cuda ? text(cuda_status().compute_capability) : nullptr;
  all["driver"] = cuda ? text(cuda_status().driver) : nullptr;
  all["cuda_runtime"] = cuda ? text(cuda_status().runtime) : nullptr;
  all["gl_renderer"] = text(gl_renderer);
  all["interop"] = interop;
  all["cpu"] = cpu_name();
  all["threads"] = cpu_threads();
  all["compiler"] = WARPLOOM_COMPILER;
  all["build"] = WARPLOOM_BUILD_TYPE;
  all["commit"] = text(WARPLOOM_COMMIT);
  return all;
}

std::string utc_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace warploom
