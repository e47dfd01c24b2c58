#include "viewer/base/environment.h"

#include <ctime>

#include "gpu/core/devices.h"

namespace warploom {

nlohmann::ordered_json environment(Backend backend, const std::string& gl_renderer, const std::string& interop) {
  nlohmann::ordered_json all;
  const bool cuda = backend == Backend::cuda;
  all["backend"] = name(backend);
  all["device"] = cuda ? text_or_null(cuda_status().device_name) : text_or_null(cpu_name());
  all["compute_capability"] = cuda ? text_or_null(cuda_status().compute_capability) : nullptr;
  all["driver"] = cuda ? text_or_null(cuda_status().driver) : nullptr;
  all["cuda_runtime"] = cuda ? text_or_null(cuda_status().runtime) : nullptr;
  all["devices"] = nlohmann::ordered_json::array();
  if (cuda)
    for (const DeviceInfo& one : cuda_devices())
      all["devices"].push_back(
          {{"name", one.name}, {"compute_capability", one.compute_capability}, {"memory", one.memory}});
  all["gl_renderer"] = text_or_null(gl_renderer);
  all["interop"] = interop;
  all["cpu"] = cpu_name();
  all["threads"] = cpu_threads();
  all["compiler"] = WARPLOOM_COMPILER;
  all["build"] = WARPLOOM_BUILD_TYPE;
  all["commit"] = text_or_null(WARPLOOM_COMMIT);
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
