#include <fmt/format.h>

#include <algorithm>

#include "gpu/scenes/irregular/tracks/tasks_track.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

namespace {

std::string task_microseconds(double nanoseconds) { return fmt::format("{:.1f} \u00b5s", nanoseconds / 1e3); }

}  // namespace

/// How long the blocks take for the tasks, and where their time goes.
void tasks_card(PanelContext& panel, std::size_t track, Track&, TasksFacet& facet) {
  auto& ui = panel.ui;
  const auto chart = facet.chart();
  if (!chart) return;
  const TaskTree& tree = chart->tree();
  const TaskSchedule& schedule = chart->schedule;
  const ui::Section section(ui, "tasks", "Tasks \u00b7 " + track_letter(*panel.simulation, track),
                            "how long the blocks take for the tasks of this input by the chart's clock, against what "
                            "no schedule can beat: the work shared out evenly, or the critical path");
  if (!section) return;
  ui::key_value(ui, "tasks", grouped(tree.size()) + " in " + counted(tree.generations(), "generation"));
  ui::key_value(ui, "work", task_microseconds(static_cast<double>(tree.total)));
  ui::key_value(ui, "critical path", task_microseconds(static_cast<double>(tree.critical)));
  if (!schedule.missing.empty()) {
    ui::key_value(ui, "chart", schedule.missing, ui::Role::bad);
    return;
  }
  ui::key_value(ui, "clock", schedule.measured ? "measured" : "modelled");
  ui::key_value(ui, "blocks", grouped(schedule.blocks));
  ui::key_value(ui, "all done after", task_microseconds(static_cast<double>(schedule.makespan)));
  ui::key_value(ui, "least time",
                fmt::format("{}, {:.2f} times less", task_microseconds(schedule.bound(tree)),
                            static_cast<double>(schedule.makespan) / schedule.bound(tree)));
  ui::key_value(ui, "greedy bound", task_microseconds(schedule.greedy(tree)) + ", dashed");
  ui::key_value(ui, "at work", fmt::format("{:.1f} % of the blocks' time", 100 * schedule.busy(tree)));
  if (!schedule.steals.empty()) ui::key_value(ui, "steals", grouped(schedule.steals.size()));
}

}  // namespace warploom
