#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viewer/model/scene_text.h"
#include "viewer/panels/panels.h"

namespace warploom {

namespace {

/// What of the top bar has room in a width, in pixels: what is said elsewhere, too, goes first, and the name is the
/// window's title.
struct TopBarRoom {
  bool name = true, labels = true, step = true, all_scenes = true;

  TopBarRoom(const PanelContext& panel, float width, const std::string& step_words) {
    const auto& ui = panel.ui;
    const auto needed = [&] {
      float sum = ui.px(name ? 32 : 0) + (name ? ui::text_width(ui.fonts->strong, "Warploom") : 0);
      for (const auto& scene : panel.model.scenes())
        if (all_scenes || scene->key() == std::string(panel.model.scene().key()))
          sum += ui::text_width(ui.fonts->body, scene->title()) + ui.px(28);
      return sum + ui.px(8 + (labels ? 256 : 94) + 16 + 90) +
             (step ? std::max(ui.px(96), ui::text_width(ui.fonts->mono, step_words)) : 0);
    };
    for (bool* part : {&name, &labels, &step, &all_scenes}) *part = needed() <= width;
  }
};

}  // namespace

void top_bar(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  auto& model = panel.model;
  const auto& simulation = panel.simulation;
  const ui::Scope scope(ui, "top");
  begin_panel(panel, "top", area, ui.theme->panel, 14, 0);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string step = fmt::format("step {}", simulation ? grouped(simulation->steps()) : "\u2013");
  const TopBarRoom room(panel, area.width(), step);
  float x = area.min.x;
  if (room.name) {
    const float name_width = ui::text_width(ui.fonts->strong, "Warploom");
    ui::draw_text(list, ui.fonts->strong, ui.theme->text, {x + ui.px(14), area.min.y},
                  {x + ui.px(16) + name_width, area.max.y}, "Warploom");
    x += ui.px(32) + name_width;
  }
  for (const auto& scene : model.scenes()) {
    const bool shown = scene->key() == std::string(model.scene().key());
    if (!room.all_scenes && !shown) continue;
    ImGui::SetCursorScreenPos({x, area.min.y});
    if (ui::tab(ui, scene->key(), scene->title(), shown, area.height() / ui.scale))
      model.guarded([&scene, &model] { show_scene(model, scene->key()); });
    ui::help_tooltip(ui, scene->description());
    x = ImGui::GetItemRectMax().x;
  }
  // From the right: what acts, then the step.
  const float y = area.min.y + std::floor((area.height() - ui.px(26)) / 2);
  ImGui::SetCursorScreenPos({area.max.x - ui.px(14 + 26), y});
  if (ui::icon_button(ui, "commands", ui::Icon::menu, "Commands (Ctrl+Shift+P)"))
    model.palette_open = !model.palette_open;
  ImGui::SetCursorScreenPos({area.max.x - ui.px(14 + 26 + 8 + 26), y});
  if (ui::icon_button(ui, "capture", ui::Icon::camera, "Capture (F12)")) find_and_run(model, "capture");
  const float step_right = area.max.x - ui.px(14 + 26 + 8 + 26 + 16),
              step_left =
                  room.step ? step_right - std::max(ui.px(96), ui::text_width(ui.fonts->mono, step)) : step_right;
  if (room.step)
    ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {step_left, area.min.y}, {step_right, area.max.y}, step,
                  ui::Align::right);
  float left = std::max(step_left - ui.px(16 + (room.labels ? 256 : 94)), x + ui.px(8));
  const auto acts = [&](const char* command, const char* label, ui::Icon icon, float wide, const auto& help) {
    ImGui::SetCursorScreenPos({left, y});
    const bool pressed = !room.labels                          ? ui::icon_button(ui, command, icon, label)
                         : std::string_view(command) == "play" ? ui::primary_button(ui, command, label, icon, wide)
                                                               : ui::button(ui, command, label, icon, wide);
    if (pressed) find_and_run(model, command);
    ui::help_tooltip(ui, help);
    left += ui.px((room.labels ? wide : 26) + 8);
  };
  acts("play", model.playing ? "Pause" : "Play", model.playing ? ui::Icon::pause : ui::Icon::play, 84, [&model] {
    const auto* meant = model.scene().facet<StepMeaning>();
    return (meant ? meant->step_words() + "\n" : std::string()) +
           "one step per frame, or as many as Steps says (Space)";
  });
  acts("step", "Step", ui::Icon::step, 76, [] { return std::string("the steps of one frame (.)"); });
  acts("reset", "Reset", ui::Icon::reset, 80, [] { return std::string("back to the start state (R)"); });
  ImGui::End();
}

void status_bar(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  auto& model = panel.model;
  const auto& simulation = panel.simulation;
  const ui::Scope scope(ui, "status");
  begin_panel(panel, "status", area, ui.theme->panel, 14, 0);
  const float y = area.min.y + std::floor((area.height() - ui.px(20)) / 2);
  float x = area.min.x + ui.px(14);
  const auto badge = [&](const std::string& text, ui::Role role, const std::string& help) {
    const float width = ui::badge_width(ui, text);
    if (x + width > area.max.x) return;
    ImGui::SetCursorScreenPos({x, y});
    ui::badge(ui, text, role, help);
    x += width + ui.px(8);
  };
  const bool cpu = model.runner().backend() == Backend::cpu;
  badge(cpu ? "CPU ENGINE" : "CUDA \u00b7 " + model.machine.device, cpu ? ui::Role::warning : ui::Role::good,
        cpu ? "kernels run thread by thread on the processor: their times are not those of a GPU"
            : "kernels run on the GPU");
  for (const auto& text : simulation ? device_badges(*simulation) : std::vector<std::string>{})
    badge(text, ui::Role::warning,
          cpu ? "pools of CPU threads stand for devices, and copies between them for the link"
              : "two of the devices do not reach each other: what they exchange goes through the host");
  const std::string& mode = model.machine.interop;
  badge(mode == "gl"       ? "GL zero-copy"
        : mode == "staged" ? "STAGED COPY"
        : mode == "upload" ? "upload"
                           : "no OpenGL",
        mode == "gl"       ? ui::Role::good
        : mode == "staged" ? ui::Role::warning
                           : ui::Role::neutral,
        model.machine.interop_reason);
  if (model.machine.vsync) badge("V-SYNC", ui::Role::neutral, "frames wait for the monitor; kernel times do not");
  if (simulation) {
    const auto status = simulation->status();
    const auto broken = std::ranges::find_if(status, [](const TrackStatus& one) { return *one.badge() != 0; });
    if (broken != status.end())
      badge(broken->badge(), ui::Role::bad,
            broken->agrees ? "a map does not serve every cell once: its times are not compared"
                           : "a track computes something else: its times are not compared");
  }
  if (const std::string history = model.runner().history(); !history.empty())
    badge("EDITED", ui::Role::neutral, history + ": this run cannot be replayed from its parameters");
  if (const double recorded = model.teaching.recorded; recorded >= 0)
    badge(fmt::format("REC {:.0f} s", recorded), ui::Role::bad, "the window is filmed; Ctrl+R ends the film");
  const std::string frames =
      fmt::format("{:.1f} frames/s   frame {} ms", model.frames_per_second, milliseconds_text(model.times.frame, 3));
  const float width = ui::text_width(ui.fonts->mono, frames);
  if (!model.machine.headless && x + width < area.max.x) {
    ui::draw_text(ImGui::GetWindowDrawList(), ui.fonts->mono, ui.theme->quiet, {x + ui.px(4), area.min.y},
                  {x + ui.px(8) + width, area.max.y}, frames);
    ImGui::SetCursorScreenPos({x, area.min.y});
    ImGui::Dummy({width + ui.px(8), area.height()});
    ui::help_tooltip(ui, "frames drawn in the last second, and the processor time of one; steps run in parallel");
    x += width + ui.px(24);
  }
  const std::string busy = model.beside_now().empty() ? model.runner().progress().what : model.beside_now();
  const auto side =
      panel.simulation ? shown_picture(panel.simulation->track(0), model.view, true) : std::optional<std::size_t>();
  const bool below = side && panel.simulation->track(0).pictures()[*side]->info().space == Selection::thread;
  const bool flies = panel.simulation && warploom::flies(*panel.simulation) && model.view.solid.morph < 1;
  const bool flow = panel.simulation && flows(*panel.simulation);
  const std::string what = flies   ? "hover a block of a launch grid to mark it in flight"
                           : flow  ? "hover a wire: what it depends on stays, the rest fades"
                           : below ? "hover a cell: its block lights up in the launch grid"
                                   : "hover a cell: which thread serves it";
  const std::string hint = !busy.empty() ? busy + " \u2026" : what + " \u00b7 H keys \u00b7 Ctrl+Shift+P commands";
  if (x + ui::text_width(ui.fonts->body, hint) < area.max.x - ui.px(14))
    ui::draw_text(ImGui::GetWindowDrawList(), ui.fonts->body, ui.theme->quiet, {x, area.min.y},
                  {area.max.x - ui.px(14), area.max.y}, hint, ui::Align::right);
  ImGui::End();
}

void timing_table(PanelContext& panel) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const bool cpu = model.runner().backend() == Backend::cpu;
  ui::quiet_text(ui, fmt::format("{} \u00b7 step {} \u00b7 {}{} \u00b7 {}, median ms [P5, P95]",
                                 caption_text(model.shown_scene()), grouped(simulation->steps()),
                                 cpu ? "CPU ENGINE " : "CUDA ", model.machine.device, simulation->track(0).kernel()));
  const auto status = simulation->status();
  std::vector<std::string> lines;
  float widest = 0;
  for (std::size_t i = 0; i < simulation->size(); ++i) {
    const Track& track = simulation->track(i);
    const KernelTiming* timing = state.shown.find(track.kernel(), i);
    const auto words = [&](double ms) { return milliseconds_text(ms, figures_of(timing->milliseconds)); };
    std::string text = fmt::format("{}  {}  {}", track_letter(*panel.simulation, i), track.info().name,
                                   timing ? words(timing->milliseconds.median) : "\u2013");
    if (timing && timing->milliseconds.samples > 1)
      text += fmt::format(" [{}, {}]", words(timing->milliseconds.p5), words(timing->milliseconds.p95));
    else if (timing)
      text += " of 1 sample";
    if (*status[i].badge())
      text += std::string("  ") + status[i].badge();
    else if (const auto ratio = state.shown.ratio(i); ratio && i != model.baseline_of(*simulation))
      text += "  " + ratio_text(*ratio);
    widest = std::max(widest, ui::text_width(ui.fonts->mono, text));
    lines.push_back(text);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, row = ui.px(18), column = widest + ui.px(32);
  const auto columns = static_cast<std::size_t>(std::clamp(width / column, 1.f, float(lines.size())));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t line = i / columns;
    const ImVec2 low{at.x + column * static_cast<float>(i % columns), at.y + row * static_cast<float>(line)};
    ui::draw_text(ImGui::GetWindowDrawList(), ui.fonts->mono, ui.theme->track_text[i], low,
                  {std::min(low.x + column, at.x + width), low.y + row}, lines[i]);
  }
  const std::size_t rows = (lines.size() + columns - 1) / columns;
  ImGui::Dummy({width, row * static_cast<float>(rows)});
}

}  // namespace warploom
