#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "gpu/bench/link_times.h"
#include "gpu/core/buffer.h"
#include "gpu/core/devices.h"
#include "gpu/core/format.h"
#include "gpu/core/shared_pages.h"
#include "gpu/core/statistics.h"
#include "gpu/own/compile_cpp.h"
#include "gpu/own/compile_cuda.h"
#include "gpu/own/compiling.h"
#include "gpu/own/runner.h"
#include "gpu/pictures/test_pattern.h"
#include "viewer/base/environment.h"
#include "viewer/base/json_text.h"
#include "viewer/base/paths.h"
#include "viewer/cli/command.h"
#include "viewer/cli/fields.h"
#include "viewer/gl/headless_context.h"
#include "viewer/gl/state.h"
#include "viewer/gl/window.h"
#include "viewer/interop/interop_mode.h"
#include "viewer/interop/measure.h"
#include "viewer/model/scene.h"
#include "viewer/model/user_files.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;

/// One finding: what was examined, what was seen, and a line to paste if something is wrong.
struct Finding {
  std::string what, seen, remedy = {};
  bool good = true;
};

/// Fills a 1080p target by a kernel of the mode's backend, as the program's pictures are.
interop::PresentTimes present_times(Backend backend, interop::InteropMode mode) {
  Queue queue(backend, true);
  unsigned phase = 0;
  // Few frames on a software rasteriser: each takes tens of milliseconds.
  const int samples = gl::is_software() ? 30 : 300;
  return interop::measure_present(
      mode, [&](PixelTarget target, void*) { paint_pattern(queue, target, ++phase); }, queue.stream(), 1920, 1080,
      samples);
}

void examine_cuda(std::vector<Finding>& findings, Json& json) {
  const CudaStatus& cuda = cuda_status();
  json["cuda"] = {{"built", cuda.built},
                  {"usable", cuda.usable},
                  {"device", text_or_null(cuda.device_name)},
                  {"compute_capability", text_or_null(cuda.compute_capability)},
                  {"driver", text_or_null(cuda.driver)},
                  {"runtime", text_or_null(cuda.runtime)},
                  {"problem", text_or_null(cuda.problem)}};
  if (cuda.usable)
    findings.push_back(
        {"CUDA",
         fmt::format(
             "{}, compute capability {}, {} of memory, {} multiprocessors, driver {}, runtime {}; a test kernel ran",
             cuda.device_name, cuda.compute_capability, bytes_text(double(cuda.memory_bytes)), cuda.multiprocessors,
             cuda.driver, cuda.runtime)});
  else
    findings.push_back({"CUDA", cuda.problem + "; the CPU backend is used", cuda.remedy, false});
}

/// The cards, who reaches whom, and what an exchange takes; of the CPU of pools that stand for two devices.
void examine_devices(std::vector<Finding>& findings, Json& json, Backend backend) {
  const bool pools = backend == Backend::cpu;
  const std::size_t count = pools ? 2 : cuda_devices().size();
  json["devices"] = Json::array();
  std::string names;
  for (std::size_t i = 0; !pools && i < count; ++i) {
    const DeviceInfo& one = cuda_devices()[i];
    Json reaches = Json::array();
    for (std::size_t other = 0; other < count; ++other)
      if (other != i && reach_each_other({backend, static_cast<int>(i)}, {backend, static_cast<int>(other)}))
        reaches.push_back(other);
    json["devices"].push_back({{"name", one.name},
                               {"compute_capability", one.compute_capability},
                               {"memory", one.memory},
                               {"reaches", reaches}});
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", i, one.name);
  }
  json["link"] = nullptr;
  if (count < 2) {
    findings.push_back({"devices", fmt::format("one CUDA device ({}); by --backend cpu pools of threads stand "
                                               "for several",
                                               names)});
    return;
  }
  try {
    Queue queue(backend);
    const auto team = Team::of(backend, 2);
    constexpr std::uint64_t small = 64, large = 16u << 20;
    const auto latency = bench::time_exchange(queue, *team, small, 50, 7),
               rate = bench::time_exchange(queue, *team, large, 10, 7);
    if (!latency.verified || !rate.verified) {
      findings.push_back({"devices", "bytes that one device sent did not arrive at another", "", false});
      return;
    }
    const double us = summarize(latency.microseconds).median, each = summarize(rate.microseconds).median;
    const double per_second = static_cast<double>(large) / each / 1e3;
    json["link"] = {
        {"engine", team->link().engine()}, {"direct", team->direct()}, {"exchange_us", us}, {"gb_per_s", per_second}};
    findings.push_back(
        {"devices", fmt::format("{}; two exchange {} bytes in {:.1f} \u00b5s, and 16 MiB at {:.0f} GB/s each way{}",
                                pools ? "pools of threads stand for them" : names, small, us, per_second,
                                team->direct() ? "" : ", through the host")});
  } catch (const Error& error) {
    findings.push_back({"devices", error.what(), "", false});
  }
}

void examine_window(std::vector<Finding>& findings, Json& json) {
  const char *x = std::getenv("DISPLAY"), *wayland = std::getenv("WAYLAND_DISPLAY");
  if (!(x && *x) && !(wayland && *wayland)) {
    json["window"] = nullptr;
    findings.push_back({"window", "no display is set (DISPLAY, WAYLAND_DISPLAY): warploom run works without one",
                        "xvfb-run -a warploom", false});
    return;
  }
  try {
    gl::Window window("warploom doctor", 64, 64, false);
    json["window"] = gl::renderer();
    findings.push_back({"window", fmt::format("OpenGL {} on {}", gl::version(), gl::renderer())});
  } catch (const Error& error) {
    json["window"] = nullptr;
    findings.push_back({"window", error.what(), "", false});
  }
}

void examine_headless(std::vector<Finding>& findings, Json& json, Backend backend) {
  json["opengl"] = json["interop"] = json["interop_reason"] = json["present_ms"] = json["bare_interop_ms"] =
      json["clear_ms"] = nullptr;
  try {
    const gl::HeadlessContext context(backend == Backend::cuda);
    json["opengl"] = {{"context", context.description()},
                      {"renderer", gl::renderer()},
                      {"version", gl::version()},
                      {"software", gl::is_software()}};
    findings.push_back({"OpenGL", fmt::format("{} on {} ({})", gl::version(), gl::renderer(), context.description())});
    const interop::Probe probe = interop::probe(backend, "auto");
    json["interop"] = interop::name(probe.mode);
    json["interop_reason"] = probe.reason;
    findings.push_back({"interop", fmt::format("{}: {}", interop::name(probe.mode), probe.reason), probe.remedy,
                        probe.remedy.empty()});
    const auto times = present_times(backend, probe.mode);
    json["present_ms"] = times.present_ms;
    json["bare_interop_ms"] = times.bare_interop_ms;
    json["clear_ms"] = times.clear_ms;
    json["present_samples"] = times.samples;
    findings.push_back(
        {"present", fmt::format("1920 x 1080: {:.3f} ms per frame; map, write, unmap alone {:.3f} ms, with an empty "
                                "clear in place of the triangle {:.3f} ms (medians of {})",
                                times.present_ms, times.bare_interop_ms, times.clear_ms, times.samples)});
  } catch (const Error& error) {
    findings.push_back({"OpenGL", error.what(), "sudo apt install libegl1 libgl1 libegl-mesa0 libgl1-mesa-dri", false});
  }
}

/// "9 fractals": what the scenes find in the data folder, by topic. Throws what reading it throws.
std::string what_there_is() {
  std::vector<std::string> found;
  for (const auto& scene : make_scenes())
    for (const auto& topic : scene->catalogue())
      if (topic.of_files) found.push_back(fmt::format("{} {}", topic.rows.size(), topic.name));
  return join(found);
}

void examine_data(std::vector<Finding>& findings, Json& json) {
  json["data"] = nullptr;
  try {
    json["data"] = data_folder().string();
    findings.push_back({"data", fmt::format("{} ({})", data_folder().string(), what_there_is())});
  } catch (const Error& error) {
    findings.push_back({"data", error.what(), "cmake --install build --prefix PREFIX", false});
    return;
  }
  for (const auto& line : files_left_out(make_scenes()))
    findings.push_back({"own files", line, "correct the file, or move it away", false});
}

/// Starts the process of an own map, and lets it map memory of the program's. Throws Error.
void share_with_process(Backend backend) {
  Buffer<std::uint8_t> shared;
  {
    const ScopedSharedPages pages;
    shared = Buffer<std::uint8_t>(backend, 1);
  }
  OwnRunner(OwnSource{}, nullptr, backend, 1).share(shared.data());
}

/// What own maps are compiled by and run in.
void examine_own(std::vector<Finding>& findings, Json& json) {
  json["own"] = nullptr;
  std::string remedy = "sudo apt install g++";
  try {
    const CppCompiler compiler = find_cpp_compiler();
    remedy = "install warploom as a whole: its process for own maps (warploom-host) does not answer";
    const std::string host = own_host().string();
    share_with_process(Backend::cpu);
    json["own"] = {{"compiler", compiler.name}, {"path", compiler.path}, {"host", host}};
    findings.push_back({"own maps", fmt::format("compiled by {} ({}), run by {}, which shares memory with the program",
                                                compiler.name, compiler.path, host)});
  } catch (const Error& error) {
    findings.push_back({"own maps", error.what(), remedy, false});
  }
  json["own_cuda"] = nullptr;
  if (!cuda_status().usable) return;
  try {
    const DeviceCompiler compiler = find_device_compiler();
    share_with_process(Backend::cuda);
    json["own_cuda"] = {{"compiler", compiler.name}, {"architecture", compiler.architecture}};
    findings.push_back({"own maps on CUDA", fmt::format("compiled by {} for {}; their process shares the "
                                                        "device's memory with the program",
                                                        compiler.name, compiler.architecture)});
  } catch (const Error& error) {
    findings.push_back({"own maps on CUDA", error.what(), "run them by the CPU engine: --backend cpu", false});
  }
}

/// Optional libraries of others, compared with our own kernels where they are installed.
void examine_libraries(std::vector<Finding>& findings, Json& json) {
  json["libraries"] = Json::array();
  for (const auto& scene : make_scenes()) {
    const auto* uses = scene->facet<Libraries>();
    for (const OptionalLibrary& one : uses ? uses->libraries() : std::vector<OptionalLibrary>{}) {
      json["libraries"].push_back({{"name", one.name}, {"file", one.file}, {"there", one.there}});
      findings.push_back(
          {one.name, one.there ? fmt::format("{}: {}", one.file, one.serves)
                               : fmt::format("{} not found (optional); it would serve {}", one.file, one.serves)});
    }
  }
}

struct DoctorOptions {
  bool json = false;
  std::string backend = "auto";
};

/// What this machine offers, what is wrong, and one line that fixes it. Always ExitCode::done.
ExitCode doctor(const DoctorOptions& options) {
  Json json;
  std::vector<Finding> findings;
  json["schema"] = "warploom.doctor/1";
  json["version"] = WARPLOOM_VERSION;
  if (options.backend != "cuda")
    (void)choose_backend(options.backend);  // an unknown name is a usage error; a missing device is a finding
  const Backend backend = options.backend == "cpu" || !cuda_status().usable ? Backend::cpu : Backend::cuda;
  json["environment"] = environment(backend, "", "none");
  findings.push_back(
      {"warploom", fmt::format("{}, {} build, {}", WARPLOOM_VERSION, WARPLOOM_BUILD_TYPE, WARPLOOM_COMPILER)});
  findings.push_back({"processor", fmt::format("{}, {} threads, {} of memory free", cpu_name(), cpu_threads(),
                                               bytes_text(double(free_bytes(Backend::cpu))))});
  examine_cuda(findings, json);
  examine_devices(findings, json, backend);
  examine_window(findings, json);
  examine_headless(findings, json, backend);
  examine_data(findings, json);
  examine_libraries(findings, json);
  examine_own(findings, json);
  if (json["opengl"].is_object()) json["environment"]["gl_renderer"] = json["opengl"]["renderer"];
  if (json["interop"].is_string()) json["environment"]["interop"] = json["interop"];
  json["findings"] = Json::array();
  for (const auto& finding : findings)
    json["findings"].push_back({{"what", finding.what},
                                {"good", finding.good},
                                {"seen", finding.seen},
                                {"remedy", text_or_null(finding.remedy)}});
  if (options.json) {
    fmt::print("{}", json_text(json));
    return ExitCode::done;
  }
  for (const auto& finding : findings) {
    fmt::print("{:<5}{:<11}{}\n", finding.good ? "ok" : "-", finding.what, finding.seen);
    if (!finding.remedy.empty()) fmt::print("{:<16}fix it: {}\n", "", finding.remedy);
  }
  return ExitCode::done;
}

}  // namespace

CliCommand doctor_command() {
  return {"doctor", "check devices, driver, OpenGL, interop and versions; say what is wrong and how to fix it",
          [](CLI::App& app) -> std::function<ExitCode()> {
            const auto options = std::make_shared<DoctorOptions>();
            add_flag(app, "--json", options->json, "as JSON");
            add_text(app, "--backend", options->backend, "auto|cuda|cpu", "the backend whose interop is probed");
            return [options] { return doctor(*options); };
          }};
}

}  // namespace warploom
