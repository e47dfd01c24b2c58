#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/format.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

namespace {

/// The bars of one device: what it worked on above, what came over the link below.
void device_bars(PanelContext& panel, const DevicesReport& report, int device, double most_us, ImU32 work) {
  auto& ui = panel.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float label = ui.px(62), left = at.x + label, width = ImGui::GetContentRegionAvail().x - label;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddText({at.x, at.y}, ui.theme->quiet, fmt::format("device {}", device).c_str());
  list->AddRectFilled({left, at.y + ui.px(1)}, {left + width, at.y + ui.px(17)}, ui.theme->raised);
  for (const TeamSpan& span : report.timeline) {
    if (span.device != device) continue;
    const auto x = [&](double us) { return left + width * static_cast<float>(us / most_us); };
    const float top = at.y + ui.px(span.link ? 10 : 2), begin = x(span.begin_us),
                end = std::max(x(span.end_us), begin + ui.px(1));
    list->AddRectFilled({begin, top}, {end, top + ui.px(6)}, span.link ? ui.theme->accent : work);
  }
  ImGui::Dummy({label + width, ui.px(21)});
  ui::help_tooltip(ui, [&] {
    std::string words;
    const TeamSpan* longest = nullptr;
    for (const TeamSpan& span : report.timeline)
      if (span.device == device && (!longest || span.end_us - span.begin_us > longest->end_us - longest->begin_us))
        longest = &span;
    const auto& each = report.each[static_cast<std::size_t>(device)];
    words = fmt::format("{}: {} ms of work, {} ms of link", each.name, milliseconds_text(each.busy_ms, 3),
                        milliseconds_text(each.link_ms, 3));
    if (longest)
      words +=
          fmt::format("; the longest part is {}, {:.0f} \u00b5s", longest->name, longest->end_us - longest->begin_us);
    return words;
  });
}

/// What a device holds of the track: input, output and what it works with, against what it may have.
void memory_bar(PanelContext& panel, const DevicesReport& report, int device, std::uint64_t most, ImU32 rows) {
  auto& ui = panel.ui;
  const auto& each = report.each[static_cast<std::size_t>(device)];
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string total = bytes_text(static_cast<double>(each.bytes));
  const float label = ui.px(62), left = at.x + label, width = ImGui::GetContentRegionAvail().x - label - ui.px(70);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddText({at.x, at.y}, ui.theme->quiet, fmt::format("device {}", device).c_str());
  list->AddRectFilled({left, at.y + ui.px(4)}, {left + width, at.y + ui.px(12)}, ui.theme->raised);
  float x = left;
  const auto part = [&](std::uint64_t bytes, ImU32 colour) {
    const float end = x + width * static_cast<float>(static_cast<double>(bytes) / static_cast<double>(most));
    list->AddRectFilled({x, at.y + ui.px(4)}, {end, at.y + ui.px(12)}, colour);
    x = end;
  };
  part(each.input, rows);
  part(each.output, ui::fade(rows, .6f));
  part(each.bytes - each.input - each.output, ui.theme->quiet);
  const float wide = ImGui::CalcTextSize(total.c_str()).x;
  list->AddText({left + width + ui.px(70) - wide, at.y}, ui.theme->text, total.c_str());
  ImGui::Dummy({label + width + ui.px(70), ui.px(18)});
  ui::help_tooltip(ui, [&] {
    return fmt::format("input {}, output {} of two states, and {} to work with",
                       bytes_text(static_cast<double>(each.input)), bytes_text(static_cast<double>(each.output)),
                       bytes_text(static_cast<double>(each.bytes - each.input - each.output)));
  });
}

/// Where a problem fits, as the literature counts it.
std::string case_words(const DevicesReport& report) {
  if (report.fits == 1) return fmt::format("case 1: a {} fits a block", report.problem);
  if (report.fits == 2) return fmt::format("case 2: a {} fits one device, and no block", report.problem);
  return fmt::format("case 3: a {} takes {}, and a device may hold {}", report.problem,
                     bytes_text(static_cast<double>(report.problem_bytes)),
                     bytes_text(static_cast<double>(report.most())));
}

}  // namespace

/// What each device did in the last step, and what crossed the link.
void timeline_card(PanelContext& panel, std::size_t track_index, Track&, OverDevices& over) {
  auto& ui = panel.ui;
  const auto report = over.devices();
  const ui::Section section(
      ui, "timeline", "Devices \u00b7 " + track_letter(*panel.simulation, track_index),
      "the last step of each device, from where it began: its work above, what came over the link below");
  if (!section) return;
  double longest = 0, link = 0;
  for (const TeamSpan& span : report->timeline) longest = std::max(longest, span.end_us);
  for (const auto& each : report->each) link = std::max(link, each.link_ms);
  // What was computed before the first step is no step.
  if (panel.simulation->steps() == 0) longest = 0;
  if (longest <= 0) ui::quiet_text(ui, "No step yet.");
  for (int device = 0; longest > 0 && device < report->count; ++device)
    device_bars(panel, *report, device, longest, ui.theme->tracks[track_index]);
  if (longest > 0) {
    double busy = 0;
    for (const auto& each : report->each) busy = std::max(busy, each.busy_ms);
    const auto told = [&](const char* name, double us, const char* help) {
      ui::key_value(ui, name, fmt::format("{:.0f} \u00b5s", us));
      ui::help_tooltip(ui, help);
    };
    told("step", longest, "of the device that took longest");
    told("work, at most", 1e3 * busy, "what the busiest device computed");
    told("link, at most", 1e3 * link, "what came to a device over the link");
    told("starting, waiting", std::max(0., longest - 1e3 * (busy + link)),
         "between two launches, and for devices that are not done: a step over devices has more launches");
  }
  if (!report->split.empty()) ui::key_value(ui, "split", report->split);
  ui::key_value(ui, "exchanges over the link", grouped(report->exchanges));
  if (report->exchanges) {
    ui::key_value(ui, report->split.empty() ? "words of 32 bits" : "values a row", grouped(report->values));
    ui::key_value(ui, "bytes a step", bytes_text(static_cast<double>(report->bytes)));
  }
  ui::key_value(ui, "link by", report->pools ? "copies between pools" : report->engine);
  std::uint64_t most = std::max<std::uint64_t>(report->allowed, 1);
  for (const auto& each : report->each) most = std::max(most, each.bytes);
  ui::quiet_text(ui, "Memory: input, output, work");
  for (int device = 0; device < report->count; ++device)
    memory_bar(panel, *report, device, most, ui.theme->tracks[track_index]);
  ui::quiet_text(ui, case_words(*report));
  if (report->pools)
    ui::quiet_text(ui, "Pools of CPU threads stand for devices: nothing is slowed down to look like a link.");
}

}  // namespace warploom
