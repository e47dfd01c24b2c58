#include <atomic>
#include <chrono>
#include <deque>
#include <thread>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "gpu/core/stopwatch.h"
#include "gpu/files/input.h"
#include "gpu/files/states.h"
#include "viewer/app/app.h"
#include "viewer/base/paths.h"
#include "viewer/base/say.h"
#include "viewer/base/stop_signals.h"
#include "viewer/cli/draw_anew.h"
#include "viewer/cli/view_film.h"
#include "viewer/cli/view_wishes.h"
#include "viewer/gl/state.h"
#include "viewer/gl/window.h"
#include "viewer/model/commands.h"
#include "viewer/model/figures.h"
#include "viewer/model/own_texts.h"
#include "viewer/model/own_watch.h"
#include "viewer/model/parameters.h"
#include "viewer/model/recent_scenes.h"
#include "viewer/model/user_files.h"
#include "viewer/panels/panes/marks.h"
#include "viewer/teach/describe.h"
#include "viewer/teach/run_script.h"
#include "viewer/teach/tour_host.h"

namespace warploom {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

/// Frames a second over the last second of uninterrupted drawing; after a rest, those before it.
class FrameRate {
 public:
  void tick(Clock::time_point now) {
    if (!ticks_.empty() && now - ticks_.back() > std::chrono::milliseconds(400)) ticks_.clear();  // it was idle
    ticks_.push_back(now);
    while (now - ticks_.front() > std::chrono::seconds(1)) ticks_.pop_front();
  }
  double value() {
    if (ticks_.size() > 1) value_ = 1000. * double(ticks_.size() - 1) / milliseconds(ticks_.back() - ticks_.front());
    return value_;
  }

 private:
  std::deque<Clock::time_point> ticks_;
  double value_ = 0;
};

/// view, until the window is closed or its context is `lost`; all that is the user's is saved then.
ExitCode show_window(const Options& options, std::optional<gl::ContextLost>& lost) {
  check_stats_name(options.stats);
  if (options.interop == "none") throw DisplayError("--interop none: a window needs OpenGL; use warploom run");
  if (!options.capture.empty() && extension_of(options.capture) != ".png")
    throw UsageError("--capture " + options.capture + ": the name must end in .png");
  if (!options.tour.empty() + !options.script.empty() + !options.puzzle.empty() > 1)
    throw UsageError("--tour, --puzzle and --script: one of them");
  // What is wrong with a tour or a puzzle is said before a window opens.
  const std::string tour = options.tour.empty() ? "" : named_file("tours", options.tour).string();
  const Backend backend = tour.empty() ? choose_backend(options.backend) : backend_of(read_tour(tour), options.backend);
  check_file_name("--stats", options.stats);
  check_describe_name(options.describe);
  if (!options.record.empty()) check_record(options.record);
  if (options.describe != "-") check_file_name("--describe", options.describe);
  check_file_name("--capture", options.capture);
  if (!options.dump.empty()) check_dump_name(options.dump);
  if (options.frames) check_warmup(options.warmup, *options.frames);
  StopSignals stop;                  // before the threads of the model
  std::atomic<bool> changed{false};  // before the model, whose runner sets it to its end
  Model model(backend, false);
  model.trust = OwnTrust::known;
  model.starts_small = options.script.empty();  // a script means the same here as in `run`
  PanelState restored;
  const bool fresh = options.words.empty() && options.set.empty() && options.scene_file.empty() && !options.seed &&
                     options.maps.empty() && !options.trust && options.script.empty();
  const std::string puzzle = options.puzzle.empty() ? "" : named_file("puzzles", options.puzzle).string();
  if (!puzzle.empty()) (void)read_puzzle(puzzle);
  if (!options.class_folder.empty()) (void)read_classroom(options.class_folder);
  std::error_code unknown;
  model.teaching.welcome =
      fresh && tour.empty() && puzzle.empty() && !std::filesystem::exists(state_folder() / "session.toml", unknown);
  std::function<LoadedScene()> asks_to_run;  ///< reads a scene whose code is not run unasked
  std::uint64_t replay = fresh ? restore_session(model, restored) : 0;
  if (fresh) {
    if (!options.theme.empty()) model.view.theme = options.theme;
    model.view.overlay = options.overlay;
    model.steps_per_frame = options.steps_per_frame;
  } else {
    restore_window(model, restored);
    const GivenMaps maps = read_given_maps(model, options);
    try {
      replay = apply_options(model, options, maps);
      if (!options.scene_file.empty() && options.preset.empty() && !options.frames)
        remember_recent_scene(options.scene_file, model.scene().key());
    } catch (const UntrustedCode&) {
      // A person can be asked; what runs by itself is told.
      if (!options.script.empty() || options.frames) throw;
      asks_to_run = read_with_options(model, options, maps);
    }
  }

  std::optional<ScriptPlayer> script;
  if (!options.script.empty()) script.emplace(read_script_file(options.script, reading_for(model)));
  std::string left_out;
  auto all_left_out = files_left_out(model.scenes());
  model.teaching.tours = known_tours(&all_left_out);
  model.teaching.puzzles = known_puzzles(&all_left_out);
  for (const auto& line : all_left_out) {
    say("{}", line);
    left_out += (left_out.empty() ? "" : "; ") + line;
  }
  if (!left_out.empty() && model.notice.empty()) model.tell(left_out);

  const auto first_of = [](int asked, int before, int usual) { return asked ? asked : before ? before : usual; };
  gl::Window window("Warploom", first_of(options.width, restored.window_width, 1440),
                    first_of(options.height, restored.window_height, 900), true, options.width == 0);
  App app(model, options, &window, false);
  app.name_machine(false);
  app.panels().layout = restored.layout;
  app.panels().files.recent = restored.files.recent;
  const bool software = gl::is_software();
  // A software rasteriser under a virtual display has no refresh to wait for: frames are paced here.
  window.set_swap_interval(software ? 0 : 1);
  model.machine.vsync = !software;

  auto last_event = Clock::now();
  bool draw_now = false;
  window.on_any_event = [&] { last_event = Clock::now(); };
  window.on_drop = [&](const std::string& path) { model.guarded([&] { take_file(model, path); }); };
  window.on_key = [&](int key, int modifiers, bool pressed) {
    if (!pressed) return;
    // A key that leaves it does nothing else.
    if (leaves_welcome(key, modifiers) && std::exchange(model.teaching.welcome, false)) return;
    take_key(model, key, modifiers, keys_of());
  };
  model.runner().set_on_change([&changed] {
    changed = true;
    gl::Window::wake();
  });
  /// The runner lives longer than the window, and must not wake one that is gone.
  struct WakesNoMore {
    Runner& runner;
    ~WakesNoMore() { runner.set_on_change(nullptr); }
  } const wakes_no_more{model.runner()};
  app.painter().set_on_change([] { gl::Window::wake(); });
  OwnWatch watched(model.own_files, [&changed] {
    changed = true;
    gl::Window::wake();
  });
  const StopSignals::Watch watch(stop, [] { gl::Window::wake(); });
  window.on_refresh = [&] { draw_now = true; };

  restore_own_drafts(model.editing);
  open_own_texts(model);
  std::uint64_t kept_edits = model.editing.edits;
  auto kept_at = Clock::now();
  const auto keep_drafts = [&] {
    if (std::exchange(kept_edits, model.editing.edits) != model.editing.edits) keep_own_drafts(model.editing);
    kept_at = Clock::now();
  };

  model.rebuild(replay);
  if (asks_to_run) model.guarded([&] { open_scene(model, "opened " + options.scene_file, asks_to_run); });
  // Scenes play when frames are counted: without steps there would be nothing to measure.
  model.playing = options.frames.has_value() && !script;
  Hand hand(model, app.ui());
  ScriptStage stage{model, app.ui(), app.panels(), hand, std::filesystem::current_path(), true};
  stage.capture = [&model](const std::string& file) { model.capture_wanted = file; };
  WindowFilm film(model, options.record, options.record_rate, nullptr, options.frames.has_value());
  TourHost tours(stage, fresh && tour.empty() && puzzle.empty());
  tell_of_lost_context(model);
  if (!options.class_folder.empty()) tours.open_class(options.class_folder);
  model.teaching.tour_wanted = tour;
  model.teaching.puzzle_wanted = puzzle;
  stage.record = [&model](const std::string& file) {
    if (file.empty() != (model.teaching.recorded >= 0)) throw Error(film_not_so(file));
    model.teaching.record_to = file;
    model.teaching.record_wanted = true;
  };
  ExitCode script_end = ExitCode::done;
  const auto go_on_with_script = [&](double seconds) {
    if (!script) return model.guarded([&] { tours.go_on(seconds); });
    try {
      tours.serve();
      script->go_on(stage, seconds);
      if (!script->done()) return;
      model.playing = options.frames.has_value();
    } catch (const Error& error) {
      script_end = error.code();
      say("{}", error.what());
      model.tell(error.what(), true);
    }
    script.reset();
  };

  const auto capture_to_file = [&](gl::Size size) {
    write_capture(options.capture, model, size.width, size.height, gl::read_pixels(size.width, size.height),
                  edited_state(model));
  };
  FrameRate rate;
  FrameSamples samples;
  std::vector<double> rates;
  std::uint64_t frames = 0;
  auto last_frame = Clock::now(), next_frame = last_frame;
  const double target = 1. / (std::max(30., std::min(window.refresh_rate(), 240.)) * 1.03);
  // The scene's text while its tracks are on their way, read before they are given up; empty: they are there.
  std::string coming;
  const auto stop_work = [&] {
    model.playing = false;
    if (model.starts_anew() || model.runner().replays_to()) model.guarded([&] { coming = scene_text(model); });
  };
  const auto save_what_is_the_users = [&] {
    save_session(model, app.panels(), tours.before().empty() ? coming : tours.before());
    tours.keep();
    keep_own_drafts(model.editing);
  };
  const auto write_what_was_asked = [&] {
    save_what_is_the_users();  // first: what follows may fail
    if (!(options.stats.empty() && options.describe.empty()) && model.runner().simulation()) {
      auto stats = make_stats(model.scene(), model.runner(), model.view.baseline, frames, &samples,
                              model.machine.gl_renderer, model.machine.interop);
      if (!stats["frame"].is_null())
        stats["frame"]["frames_per_second"] = rates.empty() ? model.frames_per_second : summarize(rates).median;
      if (!options.stats.empty()) write_stats(options.stats, stats);
      if (!options.describe.empty()) {
        Queue questions(backend);
        write_described(options.describe, describe(model, stats, questions, &app.painter()));
      }
    }
    if (!options.dump.empty() && model.runner().simulation()) write_dump(options.dump, model.runner());
  };
  const auto give_up_pictures = [&] {
    if (model.picture_wanted) say("not saved: {}", model.picture_wanted->file);
    if (!model.capture_wanted.empty()) say("not captured: {}", model.capture_wanted);
    model.picture_wanted.reset();
    model.capture_wanted.clear();
  };
  // A display that goes takes the program along: what can be saved is saved before, without asking the window.
  window.on_display_lost([&] {
    say("the display is gone: the session is saved");
    watched.end();
    model.runner().set_on_change(nullptr);
    app.painter().set_on_change(nullptr);
    stop_work();
    give_up_pictures();
    model.cancel();
    try {
      write_what_was_asked();
      if (const std::string failed = model.finish_beside(); !failed.empty()) say("{}", failed);
    } catch (const std::exception& error) {
      say("{}", error.what());
    }
  });
  const auto ends = [&] { return model.quit || window.should_close() || stop.number(); };
  while (!ends()) {
    if (model.notice_is_old()) {
      model.tell("");
      draw_now = true;
    }
    const bool lively = model.playing || model.launching || model.morph_towards >= 0 || model.pulse < 1 ||
                        model.runner().busy() || model.computing() || model.reading() || !model.beside_now().empty() ||
                        script || tours.lively() || film.runs() || app.unfinished() || draw_now ||
                        !model.capture_wanted.empty() || model.picture_wanted || options.frames ||
                        app.panels().shown.waits || Clock::now() - last_event < std::chrono::milliseconds(700);
    if (lively) {
      window.poll();
    } else {
      const auto before = last_event;
      window.wait(2);
      // A wake without input comes from the runner or the painter; a time-out draws nothing.
      if (last_event == before && !changed.exchange(false) && !model.runner().busy() && !app.unfinished()) continue;
    }
    draw_now = false;
    const gl::Size size = window.framebuffer_size();
    if (size.width == 0 || size.height == 0) {
      window.wait(.2);
      continue;
    }
    serve_wishes(model, window);
    const auto begin = Clock::now();
    model.update();
    go_on_with_script(milliseconds(begin - last_frame) / 1000);
    watched.follow(model);
    // Frames go on for longer than that when something was typed.
    if (Clock::now() - kept_at > std::chrono::milliseconds(500)) keep_drafts();
    // A capture asked for in this frame, by palette or dialog, is taken of the next one, which does not show them.
    const std::string capture = model.capture_wanted;
    const bool alone = model.capture_plot;
    bool final_frame = false;
    try {
      gl::bind_window_framebuffer(size.width, size.height);
      app.frame(size.width, size.height, static_cast<float>(milliseconds(begin - last_frame) / 1000),
                window.content_scale() * model.ui_scale);
      if (software) gl::finish();  // its work is part of the cost; a GPU's is not waited for
      film.frame(size, milliseconds(begin - last_frame) / 1000);
      last_frame = begin;
      model.times.frame = milliseconds_since(begin);
      if (!capture.empty()) {
        model.guarded([&] { capture_frame(app, model, capture, alone, size); });
        if (model.capture_wanted == capture && model.capture_plot == alone) {
          model.capture_wanted.clear();
          model.capture_plot = false;
        }
      }
      app.panels().add_frame(model.times);
      if (!script) ++frames;
      final_frame = options.frames && !script && frames >= *options.frames;
      if ((final_frame || model.quit) && !options.capture.empty()) capture_to_file(size);
    } catch (const Error&) {
      // Whatever failed first: with a lost context all that follows fails, too.
      if (!gl::is_lost()) throw;
      lost.emplace();
      break;
    }
    window.swap();
    model.guarded([&] { app.save_picture(); });
    rate.tick(Clock::now());
    model.frames_per_second = rate.value();
    if (frames > options.warmup) {
      samples.add(model.times);
      if (frames > 60) rates.push_back(model.frames_per_second);
      samples.forget_oldest_above(100000);
    }
    if (final_frame) break;
    if (software) {
      next_frame =
          std::max(next_frame + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(target)),
                   Clock::now() - std::chrono::milliseconds(50));
      std::this_thread::sleep_until(next_frame);
    }
  }
  if (lost && !options.capture.empty()) say("not captured: {}", options.capture);
  if (!lost && !options.capture.empty() && (!options.frames || frames < *options.frames)) {
    const gl::Size size = window.framebuffer_size();
    gl::bind_window_framebuffer(size.width, size.height);
    app.frame(size.width, size.height, 1.f / 60, window.content_scale() * model.ui_scale);
    capture_to_file(size);
  }
  film.finish();
  stop_work();
  if (lost) {
    // At once: what follows may fail on a device that has a fault.
    give_up_pictures();
    save_what_is_the_users();
  }
  ExitCode end = (lost && !options.capture.empty()) || film.failed() ? ExitCode::failure : script_end;
  // A signal asks to end soon; who closes the window waits for the files that were asked for.
  if (!stop.number()) model.runner().cancel();
  while (model.picture_wanted && !stop.number()) {
    model.update();
    try {
      app.save_picture();
    } catch (const std::exception& error) {
      say("{}", error.what());
      end = ExitCode::failure;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  give_up_pictures();
  if (stop.number()) {
    end = static_cast<ExitCode>(128 + stop.number());
    model.cancel();
  }
  if (!model.beside_now().empty()) say("waiting for the end of: {}", model.beside_now());
  if (const std::string failed = model.finish_beside(); !failed.empty()) {
    say("{}", failed);
    if (!stop.number()) end = ExitCode::failure;
  }
  if (const gl::Size size = window.window_size(); size.width > 0 && size.height > 0) {
    app.panels().window_width = size.width;
    app.panels().window_height = size.height;
  }
  write_what_was_asked();
  // Who wants it to end gets that.
  if (stop.number() || model.quit || window.should_close()) lost.reset();
  return end;
}

}  // namespace

ExitCode view(const Options& options) {
  std::optional<gl::ContextLost> lost;
  const ExitCode end = show_window(options, lost);
  if (!lost) return end;
  // A new process cannot go on with frames that are counted, a script or a film.
  if (!options.frames && options.script.empty() && options.record.empty()) draw_anew(options);
  throw *lost;
}

}  // namespace warploom
