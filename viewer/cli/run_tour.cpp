#include <algorithm>
#include <utility>

#include "gpu/core/files.h"
#include "gpu/files/input.h"
#include "viewer/app/app.h"
#include "viewer/base/json_text.h"
#include "viewer/base/say.h"
#include "viewer/base/stop_signals.h"
#include "viewer/cli/beside_options.h"
#include "viewer/cli/stopped.h"
#include "viewer/export/stats.h"
#include "viewer/export/written_folder.h"
#include "viewer/gl/framebuffer.h"
#include "viewer/gl/headless_context.h"
#include "viewer/gl/state.h"
#include "viewer/teach/check_tour.h"

namespace warploom {

namespace {

/// Pictures of all steps, the strip in them: a handout.
void capture_steps(const Options& options, const Tour& tour, Backend backend, StopSignals& stop) {
  const FolderWish wish{"--capture", options.capture,
                        [](const std::filesystem::path& file) { return is_numbered(file, "step_", 2, ".png"); }};
  check_folder(wish);
  Model model(backend, true);
  model.machine.headless = true;
  if (!options.theme.empty()) model.view.theme = options.theme;
  model.rebuild();
  const int width = options.width ? options.width : 1600, height = options.height ? options.height : 900;
  const gl::HeadlessContext context(backend == Backend::cuda);
  gl::Framebuffer framebuffer(width, height);
  App app(model, options, nullptr, true);
  app.name_machine(true);
  const auto draw = [&](float seconds) {
    framebuffer.bind();
    app.frame(width, height, seconds, 1);
    gl::finish();
  };
  const auto capture = [&](const std::string& file) {
    app.painter().still = true;
    model.compute_results();
    draw(1 / 60.f);
    write_capture(file, model, width, height, framebuffer.read_pixels(), edited_state(model));
    app.painter().still = false;
  };
  Scenery scenery{app.ui(), app.panels(), draw, capture};
  write_folder(wish, [&](const std::filesystem::path& folder) {
    capture_tour(model, tour, scenery, folder, [&stop] { return stop.number() != 0; });
  });
}

}  // namespace

ExitCode run_tour(const Options& options) {
  if (!options.script.empty()) throw UsageError("--tour and --script: one of them, not both");
  if (!options.check && options.capture.empty())
    throw UsageError("--tour " + options.tour +
                     ": with --check it is held, with --capture DIR it is drawn; or warploom view --tour " +
                     options.tour);
  if (!options.check && !options.report.empty()) throw UsageError("--report is what --check found; give that, too");
  refuse_beside("--tour", options, false);
  check_file_name("--report", options.report);
  const Tour tour = read_tour(named_file("tours", options.tour));
  const Backend backend = backend_of(tour, options.backend);
  if (tour.needs && *tour.needs != backend) {
    const std::string needs = *tour.needs == Backend::cpu ? "the CPU" : "CUDA";
    say("{}: needs {}; not checked here", tour.key, needs);
    if (!options.report.empty())
      write_text(options.report, json_text(nlohmann::ordered_json{{"schema", "warploom.tour/1"},
                                                                  {"tour", tour.key},
                                                                  {"title", tour.title},
                                                                  {"passed", nullptr},
                                                                  {"needs", std::string(name(*tour.needs))},
                                                                  {"steps", nlohmann::ordered_json::array()}}));
    return ExitCode::done;
  }
  StopSignals stop;
  ExitCode end = ExitCode::done;
  try {
    if (options.check) {
      const TourReport report = check_tour(tour, backend, [&stop] { return stop.number() != 0; });
      if (!options.report.empty()) write_text(options.report, json_text(report.json));
      end = report.code;
      say("{}", report.wrong.empty() ? fmt::format("{}: {} steps, all as they say", tour.key, tour.steps.size())
                                     : report.wrong);
    }
    if (!options.capture.empty() && end == ExitCode::done) capture_steps(options, tour, backend, stop);
  } catch (const Cancelled&) {
    if (!stop.number()) throw;
    return stopped(stop);
  }
  return end;
}

}  // namespace warploom
