#include "viewer/app/app.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "gpu/core/format.h"
#include "gpu/core/stopwatch.h"
#include "gpu/own/registry.h"
#include "gpu/tracks/facets/editable.h"
#include "viewer/base/environment.h"
#include "viewer/base/paths.h"
#include "viewer/base/png.h"
#include "viewer/base/say.h"
#include "viewer/gl/state.h"
#include "viewer/model/own_texts.h"
#include "viewer/model/parameters.h"
#include "viewer/model/recent_scenes.h"
#include "viewer/model/scene_text.h"
#include "viewer/model/small_scene.h"
#include "viewer/panels/panes/marks.h"
#include "viewer/ui/deficiency.h"

namespace warploom {

App::App(Model& model, const Options& options, gl::Window* window, bool synchronous)
    : model_(model),
      synchronous_(synchronous),
      probe_(interop::probe(model.runner().backend(), options.interop)),
      renderer_(window),
      painter_(model.runner().backend(), probe_.mode, synchronous),
      questions_(model.runner().backend(), true, 1),
      thumbnails_(synchronous) {
  panels_.colormaps = ui::load_colormaps(data_folder() / "assets" / "colormaps");
  ui_.fonts = &fonts_;
  ui_.small_picture = [this](const std::string& file) { return thumbnails_.of(file); };
}

void App::name_machine(bool headless) {
  Machine& machine = model_.machine;
  machine.device = model_.runner().backend() == Backend::cuda ? cuda_status().device_name : cpu_name();
  machine.interop = interop::name(probe_.mode);
  machine.interop_reason = probe_.reason;
  machine.gl_renderer = gl::renderer();
  machine.headless = headless;
}

void App::apply_look(float scale) {
  const std::string wanted = model_.view.theme + std::to_string(scale);
  if (wanted == look_) return;
  const bool first = look_.empty();
  look_ = wanted;
  ui_.theme = &ui::theme(model_.view.theme == "light" ? ui::ThemeName::light : ui::ThemeName::dark);
  ui::apply(*ui_.theme, scale);
  if (!first && ui_.scale == scale) return;
  ui_.scale = scale;
  fonts_ = ui::load_fonts(scale, (data_folder() / "fonts").string());
  ImGui::GetIO().FontDefault = fonts_.body;
  if (!first) renderer_.reload_fonts();
}

void App::frame(int width, int height, float seconds, float scale) {
  // A lecture hall reads from afar.
  apply_look(scale * (model_.view.presentation ? 1.4f : 1));
  renderer_.new_frame(width, height, std::max(1e-4f, seconds), ui_.hold_input);
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Want> wants;
  std::vector<std::pair<ui::Rectangle, ImU32>> grounds;
  PanelContext panel{ui_, model_, panels_, model_.scene_simulation(), &painter_, &wants, &questions_, &grounds};
  compose(panel, ImGui::GetIO().DisplaySize);
  ImGui::Render();
  model_.times.ui = milliseconds_since(begin);

  painter_.begin();
  for (const auto& want : wants) painter_.want(want);
  painter_.paint(panel.simulation);
  model_.times.interop = painter_.interop_ms();
  gl::set_viewport(0, 0, width, height);
  gl::clear(ui_.theme->ground);
  for (const auto& [area, colour] : grounds) {
    const gl::Viewport at = viewport_of(area);
    gl::clear(colour, at.x, height - at.y - at.height, at.width, at.height);
  }
  painter_.present(height);
  gl::set_viewport(0, 0, width, height);
  renderer_.render();
  if (!model_.machine.headless && recent_scene_wants_picture(model_.scene().key())) keep_small_picture(width, height);
  if (model_.view.seen_as) show_as_seen(width, height);
  gl::check_errors("drawing a frame");
}

void App::keep_small_picture(int width, int height) {
  if (unfinished() || model_.starts_anew() || model_.reading() || !model_.scene_simulation() ||
      model_.teaching.welcome || !dialog_path(model_).empty())
    return;
  const std::string file = keep_recent_picture(made_small({width, height, gl::read_pixels(width, height), {}}));
  if (!file.empty()) thumbnails_.forget(file);
}

void App::show_as_seen(int width, int height) {
  auto pixels = gl::read_pixels(width, height);
  ui::see_with(pixels, static_cast<ui::Deficiency>(model_.view.seen_as));
  for (Rgba& pixel : pixels) pixel |= 0xff000000u;
  if (!presenter_) presenter_.emplace();
  if (!seen_ || seen_->width() != width || seen_->height() != height) seen_.emplace(width, height);
  seen_->upload(pixels);
  presenter_->draw(*seen_, {0, 0, width, height}, height);
}

void App::save_picture(gl::Size size) {
  hand_out();
  if (!model_.picture_wanted) return page_.reset();  // or it was given up
  const auto over = [&] {
    page_.reset();
    model_.picture_wanted.reset();
  };
  const std::string file = model_.picture_wanted->file;
  try {
    if (!page_)
      page_ = std::make_unique<PicturePage>(model_, panels_, probe_.mode, questions_, *model_.picture_wanted, size,
                                            synchronous_);
    if (!page_->draw()) return;
    with_edited_state(model_, [&model = model_, write = page_->writer(), file](const EditedState& edited) {
      write(edited);
      model.tell("saved " + std::filesystem::absolute(file).string());
    });
  } catch (...) {
    over();
    throw;
  }
  over();
}

/// Those of own maps that none of the tracks is of come at the end.
void add_own_tracks(std::vector<std::string>& tracks, const std::vector<std::string>& own) {
  for (const auto& name : own) {
    const auto is_of = [&](const std::string& track) { return track == name || track.starts_with(name + "/"); };
    if (std::ranges::none_of(tracks, is_of)) tracks.push_back(name);
  }
  if (constexpr std::size_t most = 4; tracks.size() > most)
    throw UsageError(fmt::format("--map: that makes {} tracks, {}; {} are the most: name fewer with --set tracks=",
                                 tracks.size(), join(tracks), most));
}

GivenMaps read_given_maps(Model& model, const Options& options) {
  GivenMaps given;
  for (const auto& wanted : options.maps) {
    const std::string file = given_map_file(wanted);
    const OwnSource text = read_own_file(file);
    const bool is_rule = text.form == "rule";
    if (is_rule && !given.rule.empty())
      throw UsageError(fmt::format("--map {}: '{}' is a rule, too, and a run has one", file, given.rule));
    std::string& name = is_rule ? given.rule : given.tracks.emplace_back();
    name = add_own(text);
    model.own_files.push_back({name, std::filesystem::absolute(file).string()});
    model.editing.text_runs();
  }
  return given;
}

std::uint64_t apply_options(Model& model, const Options& options, const GivenMaps& maps) {
  const std::string& rule = maps.rule;
  LoadedScene loaded;
  if (!options.words.empty()) select_scene(model, options.words[0], options.commands);
  std::set<std::string> given;
  if (!options.scene_file.empty()) {
    // What is opened later is not meant.
    const OwnTrust before = std::exchange(model.trust, options.trust ? OwnTrust::all : model.trust);
    loaded = read_scene_file(model, options.scene_file);
    model.trust = before;
    if (!loaded.warning.empty()) model.tell(loaded.warning, true);
    if (!options.words.empty() && options.words[0] != model.scene().key())
      throw UsageError(options.scene_file + ": it is a scene of '" + model.scene().key() + "', not of '" +
                       options.words[0] + "'; leave the name out");
  }
  auto assignments = options.set;
  if (model.starts_small && options.scene_file.empty()) {
    // Who sets what makes it small wants the real one.
    std::set<std::string> asked;
    for (const auto& assignment : assignments) asked.insert(assignment.substr(0, assignment.find('=')));
    begin_small(model, asked);
  }
  // Ranges and choices of a parameter can depend on those before it.
  const auto parameters = model.scene().parameters();
  const auto rank = [&](const std::string& assignment) {
    const std::string key = assignment.substr(0, assignment.find('='));
    return std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.called(key); });
  };
  std::stable_sort(assignments.begin(), assignments.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  if (options.seed) assignments.push_back("seed=" + std::to_string(*options.seed));
  if (const std::string why = why_no_own_maps(model.scene()); !options.maps.empty() && !why.empty())
    throw UsageError("--map: " + why);
  const auto sets_work = [](const std::string& assignment) { return assignment.starts_with("work="); };
  if (!rule.empty() && std::ranges::none_of(assignments, sets_work))
    set_parameter(model.scene(), "work=" + rule, given);
  for (const auto& assignment : assignments) set_parameter(model.scene(), assignment, given);
  if (!rule.empty() && std::ranges::any_of(assignments, sets_work) &&
      std::ranges::none_of(assignments, [&](const auto& word) { return word == "work=" + rule; }))
    say("rule '{}' has no effect here: the work is another", rule);
  add_own_tracks(model.scene().tracks(), maps.tracks);
  follow_given(model.scene(), given);
  model.scene().resolve(
      given, options.scene_file.empty() || !assignments.empty() ? std::filesystem::current_path() : model.folder);
  for (const auto& line : without_effect(model.scene(), given)) say("{}", line);
  if (const auto* substituting = model.scene().facet<Substituting>())
    for (const auto& line : substituting->lines())
      if (loaded.warning.find(line) == std::string::npos) say("{}", line);
  if (!options.theme.empty()) model.view.theme = options.theme;
  model.view.overlay = options.overlay;
  model.steps_per_frame = options.steps_per_frame;
  return loaded.steps;
}

std::function<LoadedScene()> read_with_options(Model& model, const Options& options, const GivenMaps& maps) {
  return [&model, options, maps] {
    LoadedScene loaded;
    try {
      loaded.steps = apply_options(model, options, maps);
    } catch (const UntrustedCode&) {
      throw;
    } catch (const Error& error) {
      loaded = read_scene_file(model, options.scene_file);
      loaded.warning = error.what();
    }
    remember_recent_scene(options.scene_file, model.scene().key());
    return loaded;
  };
}

void check_warmup(std::uint64_t warmup, std::uint64_t frames) {
  if (frames > 0 && warmup >= frames)
    throw UsageError(fmt::format("--warmup {}: of {} no sample is left; give {} at most, or more --frames", warmup,
                                 counted(frames, "frame"), frames - 1));
}

void write_capture(const std::string& file, Model& model, int width, int height, std::vector<Rgba> pixels,
                   const EditedState& edited) {
  PngImage image{width, height, std::move(pixels), {}};
  for (auto& pixel : image.pixels) pixel |= 0xff000000u;
  image.texts.emplace_back("warploom-scene",
                           scene_text(model, std::filesystem::absolute(file).parent_path(), &edited, true));
  image.texts.emplace_back(
      "warploom-environment",
      environment(model.runner().backend(), model.machine.gl_renderer, model.machine.interop).dump());
  const auto simulation = model.runner().simulation();
  if (!edited.cells.empty()) {
    image.texts.emplace_back("warploom-state", edited.cells);
  } else if (const auto* stored = model.scene().facet<StoredState>(); stored && stored->start_state() && simulation) {
    const Index3 extent = simulation->track(0).extent();
    image.texts.emplace_back("warploom-state", pack_state(*stored->start_state(), extent.x, extent.y));
  }
  write_png(file, image);
  if (!model.machine.headless) remember_recent_scene(file, model.scene().key());
}

}  // namespace warploom
