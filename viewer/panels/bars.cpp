#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viewer/model/scene_text.h"
#include "viewer/panels/panels.h"

namespace warploom {

namespace {

/// The domain as its parameters say it: "sierpinski_gasket  level 8  block 16".
std::string domain_words(Model& model) {
  std::string words;
  for (const auto& parameter : model.scene().parameters())
    if (parameter.section == "Domain")
      // What the domain is goes without saying; of all else the value alone would say nothing.
      words += words.empty() && parameter.kind == Parameter::Kind::choice
                   ? to_text(parameter.get())
                   : (words.empty() ? "" : "  ") + parameter.key + " " + to_text(parameter.get());
  return words.empty() ? model.scene().title() : words;
}

}  // namespace

void top_bar(PanelContext& panel, const ui::Rectangle& area) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const ui::Scope scope(ui, "top");
  begin_panel(panel, "top", area, ui.theme->panel, 14, 0);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float name_width = ui::text_width(ui.fonts->strong, "Warploom");
  ui::draw_text(list, ui.fonts->strong, ui.theme->text, {area.min.x + ui.px(14), area.min.y},
                {area.min.x + ui.px(16) + name_width, area.max.y}, "Warploom");
  float x = area.min.x + ui.px(32) + name_width;
  for (const auto& scene : model.scenes()) {
    ImGui::SetCursorScreenPos({x, area.min.y});
    if (ui::tab(ui, scene->key(), scene->title(), scene->key() == std::string(model.scene().key()),
                area.height() / ui.scale))
      model.guarded([&scene, &model = model] { show_scene(model, scene->key()); });
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
  const std::string step = fmt::format("step {}", simulation ? grouped(simulation->steps()) : "\u2013");
  const float step_right = area.max.x - ui.px(14 + 26 + 8 + 26 + 16),
              step_left = step_right - std::max(ui.px(96), ui::text_width(ui.fonts->mono, step));
  ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {step_left, area.min.y}, {step_right, area.max.y}, step,
                ui::Align::right);
  float left = step_left - ui.px(16 + 84 + 8 + 76 + 8 + 80);
  left = std::max(left, x + ui.px(8));
  ImGui::SetCursorScreenPos({left, y});
  if (ui::primary_button(ui, "play", model.playing ? "Pause" : "Play", model.playing ? ui::Icon::pause : ui::Icon::play,
                         84))
    find_and_run(model, "play");
  ui::help_tooltip(ui, "one step per frame, or as many as Steps says (Space)");
  ImGui::SetCursorScreenPos({left + ui.px(92), y});
  if (ui::button(ui, "step", "Step", ui::Icon::step, 76)) find_and_run(model, "step");
  ui::help_tooltip(ui, "the steps of one frame (.)");
  ImGui::SetCursorScreenPos({left + ui.px(176), y});
  if (ui::button(ui, "reset", "Reset", ui::Icon::reset, 80)) find_and_run(model, "reset");
  ui::help_tooltip(ui, "back to the start state (R)");
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
    const auto broken = std::ranges::find(status, false, &TrackStatus::agrees);
    if (broken != status.end())
      badge(broken->badge(), ui::Role::bad, "a track computes something else: its times are not compared");
  }
  if (const std::string history = model.runner().history(); !history.empty())
    badge("EDITED", ui::Role::neutral, history + ": this run cannot be replayed from its parameters");
  const std::string frames =
      fmt::format("{:.1f} frames/s   frame {} ms", model.frames_per_second, milliseconds_text(model.times.frame));
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
  const bool below = !panel.simulation || panel.simulation->track(0).pictures().size() > 1;
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

void timing_overlay(PanelContext& panel, const ui::Rectangle& area) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  ImDrawList* list = ImGui::GetForegroundDrawList();
  std::vector<std::pair<std::string, ImU32>> lines;
  const bool cpu = model.runner().backend() == Backend::cpu;
  lines.push_back({fmt::format("{}  step {}", domain_words(model), simulation->steps()), ui.theme->text});
  lines.push_back({fmt::format("{}{}  {}, median ms [P5, P95]", cpu ? "CPU ENGINE  " : "CUDA  ", model.machine.device,
                               simulation->track(0).kernel()),
                   ui.theme->quiet});
  const auto status = simulation->status();
  for (std::size_t i = 0; i < simulation->size(); ++i) {
    const Track& track = simulation->track(i);
    const KernelTiming* timing = state.shown.find(track.kernel(), i);
    std::string text = fmt::format("{}  {:<22}{:>8}", track_letter(i), track.info().name,
                                   timing ? milliseconds_text(timing->milliseconds.median) : "-");
    if (timing)
      text += fmt::format(" [{}, {}]", milliseconds_text(timing->milliseconds.p5),
                          milliseconds_text(timing->milliseconds.p95));
    if (!status[i].agrees)
      text += std::string("  ") + status[i].badge();
    else if (const auto ratio = state.shown.ratio(i); ratio && i != model.baseline_of(*simulation))
      text += "  " + ratio_text(*ratio);
    lines.push_back({text, ui.theme->track_text[i]});
  }
  float width = 0;
  for (const auto& [text, colour] : lines) width = std::max(width, ui::text_width(ui.fonts->mono, text));
  width = std::min(width, area.width() - ui.px(48));
  const float row = ui.px(18), height = row * static_cast<float>(lines.size()) + ui.px(16);
  // Above the launch grids, where pictures have their margin.
  const ImVec2 min{area.min.x + ui.px(12), area.min.y + ui.px(38)};
  list->AddRectFilled(min, {min.x + width + ui.px(24), min.y + height}, ui::fade(ui.theme->panel, .93f), ui.px(4));
  list->AddRect(min, {min.x + width + ui.px(24), min.y + height}, ui.theme->line, ui.px(4));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const float y = min.y + ui.px(8) + row * static_cast<float>(i);
    ui::draw_text(list, ui.fonts->mono, lines[i].second, {min.x + ui.px(12), y}, {min.x + ui.px(12) + width, y + row},
                  lines[i].first);
  }
}

std::vector<std::string> verdicts(const PanelContext& panel) {
  std::vector<std::string> all;
  for (std::size_t i = 0; panel.simulation && i < panel.simulation->size(); ++i) {
    const auto words =
        verdict_text(*panel.simulation, i, panel.model.baseline_of(*panel.simulation), panel.state.shown.ratio(i));
    if (!words.empty()) all.push_back(words);
  }
  return all;
}

std::string caption_words(const PanelContext& panel) {
  // What spoils a figure is said here too.
  std::string where = domain_words(panel.model) + fmt::format("  \u00b7  step {}", grouped(panel.simulation->steps()));
  if (panel.model.runner().backend() == Backend::cpu) where += "  \u00b7  CPU ENGINE";
  const auto status = panel.simulation->status();
  for (std::size_t i = 0; i < status.size(); ++i)
    if (!status[i].agrees) where += "  \u00b7  " + std::string(status[i].badge()) + ": " + track_letter(i);
  return where;
}

void captions(PanelContext& panel, const ui::Rectangle& area) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  begin_panel(panel, "captions", area, ui.theme->panel, 16, 8);
  ImGui::GetWindowDrawList()->AddLine(area.min, {area.max.x, area.min.y}, ui.theme->line);
  const auto say = [](const std::string& words, ImU32 colour) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(ui::wrapped(ImGui::GetFont(), words, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::PopStyleColor();
  };
  say(caption_words(panel), ui.theme->quiet);
  if (const std::string walked = walked_words(model); !walked.empty()) say(walked, ui.theme->text);
  for (const auto& words : verdicts(panel)) say(words, ui.theme->text);
  state.caption_height = ImGui::GetCursorPosY() + ui.px(6);
  ImGui::End();
}

}  // namespace warploom
