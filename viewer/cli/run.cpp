#include <unistd.h>

#include <chrono>
#include <optional>

#include "gpu/core/format.h"
#include "gpu/core/stopwatch.h"
#include "gpu/files/input.h"
#include "viewer/app/app.h"
#include "viewer/app/handout.h"
#include "viewer/base/say.h"
#include "viewer/base/stop_signals.h"
#include "viewer/cli/progress_line.h"
#include "viewer/cli/say_broken.h"
#include "viewer/export/handout_folder.h"
#include "viewer/export/recorder.h"
#include "viewer/gl/framebuffer.h"
#include "viewer/gl/headless_context.h"
#include "viewer/gl/state.h"
#include "viewer/model/figures.h"
#include "viewer/model/user_files.h"
#include "viewer/panels/page.h"
#include "viewer/teach/bare_window.h"
#include "viewer/teach/describe.h"
#include "viewer/teach/run_script.h"

namespace warploom {

namespace {

/// "B/launch": a track, and the key of one of its pictures; without one the main picture.
PictureWish picture_wish(const Options& options) {
  const std::string& text = options.picture_of;
  if (text.empty()) return {0, "", options.picture, {}};
  const auto slash = text.find('/');
  const std::string letter = text.substr(0, slash);
  if (letter.size() != 1 || letter[0] < 'A' || letter[0] > 'D' || slash + 1 == text.size())
    throw UsageError("--picture-of " + text +
                     ": expected a track, A to D, and perhaps one of its pictures, as in B/launch");
  return {
      static_cast<std::size_t>(letter[0] - 'A'), slash == text.npos ? "" : text.substr(slash + 1), options.picture, {}};
}

/// Prints the figures of a run that writes no file.
void say_figures(const Simulation& simulation, std::size_t baseline, bool on_cpu) {
  for (const auto& line : figures_text(simulation, baseline, on_cpu)) say("{}", line);
  say("step {}; --stats FILE, --dump DIR, --capture FILE.png and --picture FILE write files", simulation.steps());
}

}  // namespace

ExitCode run(const Options& options) {
  using Clock = std::chrono::steady_clock;
  if (!options.puzzle.empty()) return run_puzzle(options);
  if (!options.tour.empty()) return run_tour(options);
  for (const auto& [given, option] : {std::pair{options.check, "--check"}, {!options.report.empty(), "--report"}})
    if (given) throw UsageError(std::string(option) + " goes with --tour: warploom run --tour KEY --check");
  check_stats_name(options.stats);
  if (options.words.empty() && options.scene_file.empty() && options.script.empty())
    throw UsageError("run: which scene? One of " +
                     join(texts_of(make_scenes(), [](const auto& scene) { return scene->key(); })) +
                     ": warploom run fractal");
  bool drawing = !options.capture.empty();
  const bool pictured = !options.picture.empty();
  if (pictured) check_picture_name(options.picture);
  if (!pictured && !options.picture_of.empty())
    throw UsageError("--picture-of says which picture --picture FILE saves; give that, too");
  PictureWish wish = picture_wish(options);
  if ((drawing || pictured) && options.interop == "none")
    throw DisplayError((drawing ? "--capture" : "--picture") +
                       std::string(" needs OpenGL, and --interop none forbids it; leave one of them out"));
  if (drawing && extension_of(options.capture) != ".png")
    throw UsageError("--capture " + options.capture + ": the name must end in .png");
  const Backend backend = choose_backend(options.backend);
  if (!drawing && !pictured && options.interop != "auto" && options.interop != "none")
    (void)interop::parse_interop_mode(options.interop);

  StopSignals stop;  // before the threads of the model
  Model model(backend, true);
  // A step or a build under way is given up; what was done before is written.
  const StopSignals::Watch watch(stop, [&model] { model.runner().cancel(); });
  model.machine.headless = true;
  for (const auto& line : files_left_out(model.scenes())) say("{}", line);
  const std::uint64_t replay = apply_options(model, options);
  std::optional<Script> script;
  if (!options.script.empty()) {
    ScriptReading reading = reading_for(model);
    reading.window = false;
    script = read_script_file(options.script, std::move(reading));
    if (script->captures && options.interop == "none")
      throw DisplayError(options.script + ": it captures, which needs OpenGL, and --interop none forbids it");
    drawing = drawing || script->captures;
  }
  const bool filming = !options.record.empty() || (script && script->films);
  if (filming && options.interop == "none")
    throw DisplayError("--record needs OpenGL, and --interop none forbids it; leave one of them out");
  if (!options.handout.empty() && options.interop == "none")
    throw DisplayError("--handout needs OpenGL, and --interop none forbids it; leave one of them out");
  check_handout_name(options.handout);
  drawing = drawing || filming || !options.handout.empty();
  check_file_name("--stats", options.stats);
  check_file_name("--capture", options.capture);
  check_describe_name(options.describe);
  check_record_name(options.record);
  if (options.describe != "-") check_file_name("--describe", options.describe);
  check_file_name("--picture", options.picture);
  if (!options.picture_of.empty()) wish.track = model.scene().letters().find(first_letters[wish.track]);
  const BuildRequest request = model.scene().build_request(backend);
  request.check_memory(0);
  if (!options.dump.empty()) {
    check_dump_name(options.dump);
    check_dump(request.dump_bytes);
  }
  const auto say_notice = [&] {
    if (!model.notice.empty()) say("{}", model.notice);
    model.tell("");
  };
  say_notice();

  std::optional<gl::HeadlessContext> context;
  std::optional<gl::Framebuffer> framebuffer;
  std::optional<App> app;
  const int width = options.width ? options.width : 1600, height = options.height ? options.height : 900;
  if (drawing || pictured) {
    context.emplace(backend == Backend::cuda);
    if (drawing) framebuffer.emplace(width, height);
    app.emplace(model, options, nullptr, true);
    app->name_machine(true);
  }
  // A scene file's steps are the picture: more only when asked for.
  const std::uint64_t frames = options.frames.value_or(options.scene_file.empty() && !script ? 64 : 0);
  check_warmup(options.warmup, frames);
  const auto stopped = [&stop] { return static_cast<ExitCode>(128 + stop.number()); };
  try {
    model.rebuild(replay);
  } catch (const Cancelled&) {
    if (!stop.number()) throw;
    say("stopped while the tracks were being made: nothing is written");
    return stopped();
  }
  say_notice();  // what was read of files
  std::optional<Recorder> recorder;
  if (!options.record.empty()) recorder.emplace(options.record, width, height, options.record_rate);
  const float frame_seconds = filming ? 1.f / static_cast<float>(options.record_rate) : 1 / 60.f;
  const auto draw = [&] {
    // Times differ from run to run; films of the same command are the same.
    if (filming) model.times = {};
    return milliseconds_of([&] {
      framebuffer->bind();
      app->frame(width, height, frame_seconds, 1);
      gl::finish();
    });
  };
  const auto film = [&] {
    if (recorder) recorder->add(framebuffer->read_pixels());
  };
  model.runner().measure = !filming;
  const auto capture = [&](const std::string& file) {
    app->painter().still = true;
    app->panels().shown.at = -1;
    model.compute_results();
    model.source.follow(model);
    draw();
    write_capture(file, model, width, height, framebuffer->read_pixels(), edited_state(model));
    app->painter().still = false;
  };
  if (script) {
    const auto run_until_stopped = [&](Scenery& scenery) {
      try {
        run_script(model, *script, scenery, [&stop] { return stop.number() != 0; });
      } catch (const Error&) {
        if (!stop.number()) throw;  // else it is what was given up
      }
    };
    std::optional<BareWindow> bare;
    std::optional<Queue> questions;
    if (drawing) {
      const auto frame = [&](float) {
        draw();
        film();
      };
      const auto record = [&](const std::string& file) {
        if (file.empty() != recorder.has_value()) throw Error(film_not_so(file));
        if (recorder) recorder->finish();
        recorder.reset();
        if (!file.empty()) recorder.emplace(file, width, height, options.record_rate);
      };
      Scenery scenery{app->ui(), app->panels(), frame, capture, record, filming, frame_seconds};
      run_until_stopped(scenery);
      if (recorder) scenery.frame(frame_seconds);  // what it came to
    } else {
      bare.emplace(model, ImVec2{static_cast<float>(width), static_cast<float>(height)});
      questions.emplace(backend);
      bare->questions = &*questions;
      Scenery scenery{bare->ui, bare->state,  [&](float seconds) { bare->frame(seconds); }, nullptr, nullptr,
                      false,    frame_seconds};
      run_until_stopped(scenery);
    }
    say_notice();
  }
  if (pictured) {
    const Simulation& tracks = *model.runner().simulation();
    if (const auto main =
            wish.track < tracks.size() ? shown_picture(tracks.track(wish.track), model.view, false) : std::nullopt;
        wish.picture.empty() && main)
      wish.picture = tracks.track(wish.track).pictures()[*main]->info().key;
    check_picture(tracks, wish);
  }

  FrameSamples samples;
  ProgressLine line;
  auto shown = Clock::now();
  if (drawing) {
    draw();  // loads fonts and shaders, so it is not a sample
    say_notice();
  }
  std::uint64_t frame = 0;
  for (; frame < frames && !stop.number(); ++frame) {
    model.runner().measure = frame >= options.warmup && !filming;
    const std::uint64_t before = model.runner().simulation()->steps();
    try {
      model.runner().step(static_cast<unsigned>(options.steps_per_frame));
    } catch (const Cancelled&) {
      if (!stop.number()) throw;
      // The steps may be there, and only their seal be given up.
      model.runner().ask([](Queue& queue, Simulation& tracks) { tracks.seal(queue, nullptr); });
      if (model.runner().simulation()->steps() == before + options.steps_per_frame) ++frame;
      break;
    }
    if (drawing) {
      model.times.frame = draw();
      film();
      if (!filming) app->panels().add_frame(model.times);
      if (frame >= options.warmup) samples.add(model.times);
    }
    if (Clock::now() - shown > std::chrono::milliseconds(200)) {
      shown = Clock::now();
      line.show("frame " + std::to_string(frame + 1) + " of " + std::to_string(frames));
    }
  }
  model.runner().collect();
  if (drawing) {  // with every sample in the table
    app->painter().still = true;
    app->panels().shown.at = -1;
    model.compute_results();
    model.source.follow(model);
    // The foot of the right panel is as high as what it said in the frame before.
    for (std::uint64_t drawn = frame; drawn < 3; ++drawn) draw();
    draw();
  }

  if (recorder && !stop.number()) recorder->finish();
  if (pictured) {
    wish.theme = model.view.theme;
    model.picture_wanted = wish;
    app->panels().shown.at = -1;
    app->save_picture({options.width, options.height});
    model.tell("");
  }
  if (!options.dump.empty()) write_dump(options.dump, model.runner());
  nlohmann::ordered_json stats;
  if (!options.stats.empty() || !options.describe.empty() || !options.handout.empty()) {
    stats = make_stats(model.scene(), model.runner(), model.view.baseline, frame, drawing ? &samples : nullptr,
                       model.machine.gl_renderer, drawing ? model.machine.interop : "none");
    if (!options.stats.empty()) write_stats(options.stats, stats);
    if (!options.describe.empty()) {
      Queue questions(backend);
      write_described(options.describe, describe(model, stats, questions, app ? &app->painter() : nullptr));
    }
  }
  if (!options.capture.empty())
    write_capture(options.capture, model, width, height, framebuffer->read_pixels(), edited_state(model));
  if (!options.handout.empty())
    write_handout(options.handout, model, *app, stats, width, height, [&] {
      for (int i = 0; i < 4; ++i) {
        draw();
        model.times = {};
      }
      return framebuffer->read_pixels();
    });
  ExitCode code = ExitCode::done;
  if (stop.number()) {
    say("stopped after {} of {} frames", frame, frames);
    return stopped();
  }
  const auto simulation = model.runner().simulation();
  for (std::size_t i = 0; drawing && i < simulation->size(); ++i)
    for (std::size_t p = 0; p < simulation->track(i).pictures().size(); ++p)
      if (const auto* why = app->painter().failure(i, p)) {
        say("track {}, picture {}: {}", simulation->track(i).info().name,
            simulation->track(i).pictures()[p]->info().key, *why);
        code = ExitCode::failure;
      }
  // For people; scripts ask for files.
  if (options.dump.empty() && options.stats.empty() && options.describe.empty() && !drawing && !pictured &&
      isatty(STDERR_FILENO) == 1)
    say_figures(*simulation, model.baseline_of(*simulation), model.on_cpu());
  const auto status = simulation->status();
  if (say_what_broke(*simulation)) code = ExitCode::verification;
  for (std::size_t i = 0; i < status.size(); ++i)
    if (!status[i].agrees && !(*status[i].broken && !status[i].sealed) && simulation->track(i).info().exact) {
      code = ExitCode::verification;
      const std::string& name = simulation->track(i).info().name;
      const auto& check = status[i].check;
      if (check && check->singular) {
        say("track {}: ZERO PIVOT in problem {}, row {}", name, check->singular->x, check->singular->y);
        continue;
      }
      if (check && !check->holds())
        say("track {}: error {:.3g}, bound {:.3g}, against the {}", name, check->error, check->bound, check->against);
      const auto at = status[i].diverged.value_or(Divergence{});
      say("track {} diverged at step {}, first cell {}", name, at.step,
          at.cell ? place_text(*at.cell, simulation->track(i).dimensions())
          : check ? "not told"
                  : "none: the folded sums differ");
    }
  return code;
}

}  // namespace warploom
