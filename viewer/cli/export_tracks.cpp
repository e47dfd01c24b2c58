#include "viewer/app/app.h"
#include "viewer/base/stop_signals.h"
#include "viewer/cli/say_broken.h"
#include "viewer/cli/stopped.h"
#include "viewer/export/take_home.h"
#include "viewer/export/written_folder.h"

namespace warploom {

ExitCode export_tracks(const Options& options) {
  if (options.words.empty() && options.scene_file.empty())
    throw UsageError("export: which scene? fractal or simplex: warploom export fractal --out DIR");
  if (options.out.empty()) throw UsageError("export: --out DIR says where the sources go");
  StopSignals stop;  // before the threads of the model
  Model model(choose_backend(options.backend), true);
  const StopSignals::Watch watch(stop, [&model] { model.runner().cancel(); });
  model.machine.headless = true;
  const std::uint64_t replay = apply_options(model, options);
  check_folder({"--out", options.out});
  model.scene().build_request(model.runner().backend()).check_memory(0);
  try {
    model.rebuild(replay);
    check_exported(model.scene(), *model.runner().simulation());
    // The states that the sources are to reach.
    const std::uint64_t frames = options.frames.value_or(options.scene_file.empty() ? 64 : 0);
    for (std::uint64_t frame = 0; frame < frames && !stop.number(); ++frame)
      model.runner().step(static_cast<unsigned>(options.steps_per_frame));
  } catch (const Cancelled&) {
    if (!stop.number()) throw;
  }
  if (stop.number()) return stopped(stop);
  const Simulation& tracks = *model.runner().simulation();
  write_exported(options.out, model.scene(), tracks);
  return say_what_broke(tracks) ? ExitCode::verification : ExitCode::done;
}

}  // namespace warploom
