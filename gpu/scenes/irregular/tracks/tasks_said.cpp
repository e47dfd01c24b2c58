// What a track of tasks tells of a task, against another track, and over time; and a schedule of measured events.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "gpu/core/format.h"
#include "gpu/scenes/irregular/tasks/run_tasks.h"
#include "gpu/scenes/irregular/tracks/tasks_track.h"

namespace warploom {

namespace {

std::string task_time(std::int64_t nanoseconds) {
  const auto ns = static_cast<double>(nanoseconds);
  return ns < 1e4   ? grouped(static_cast<unsigned long long>(nanoseconds)) + " ns"
         : ns < 1e7 ? fmt::format("{:.2f} \u00b5s", ns / 1e3)
                    : fmt::format("{:.2f} ms", ns / 1e6);
}

}  // namespace

const TaskTurn* TaskChart::turn_at(std::uint64_t block, double time) const {
  if (block >= schedule.blocks || !schedule.missing.empty()) return nullptr;
  const auto first = schedule.turns.begin() + static_cast<std::ptrdiff_t>(first_turn[block]),
             last = schedule.turns.begin() + static_cast<std::ptrdiff_t>(first_turn[block + 1]);
  const auto turn =
      std::partition_point(first, last, [&](const TaskTurn& one) { return static_cast<double>(one.end) <= time; });
  return turn == last || static_cast<double>(turn->start) > time ? nullptr : &*turn;
}

std::vector<std::pair<std::string, std::string>> TasksTrack::describe(const Selection& selection) const {
  const auto chart = this->chart();
  const std::size_t row = selection.at.x;
  if (selection.space == block_time_space && chart) {
    const TaskTurn* turn = chart->turn_at(row, selection.at.y);
    if (!turn) return {{"block", "nothing is told of it at this time"}};
    const char* does[] = {"works on a task", "puts or takes tasks, and waits for memory",
                          "waits: another block has the word or lock it needs, or is not through yet",
                          "looks for a task where there is none", "is launched"};
    return {{"block", fmt::format("block {} {}", row, does[turn->kind])},
            {"time", fmt::format("from {} to {}, for {}", task_time(turn->start), task_time(turn->end),
                                 task_time(turn->end - turn->start))}};
  }
  if (selection.space != task_space || !chart || row >= chart->tree().size()) return {};
  const TaskTree& tree = chart->tree();
  const TaskSchedule& schedule = chart->schedule;
  std::vector<std::pair<std::string, std::string>> rows;
  rows.emplace_back(
      "what", fmt::format("{}, of generation {}", application_.words(*problem_, tree.words[row]), tree.depth[row]));
  rows.emplace_back("work", "takes " + task_time(tree.work[row]) + " of the nominal GPU");
  const std::int64_t parent = tree.parent[row];
  if (parent < 0)
    rows.emplace_back("parent", "none: it is one of " + counted(tree.first, "first task"));
  else if (!schedule.missing.empty())
    rows.emplace_back("parent", fmt::format("task {} makes it", parent));
  else
    rows.emplace_back("parent", fmt::format("task {} makes it, which block {} ends at {}", parent, chart->makers[row],
                                            task_time(schedule.end[static_cast<std::size_t>(parent)])));
  const std::uint32_t children = tree.children[row], child = tree.child[row];
  rows.emplace_back("children", children == 0   ? "makes none"
                                : children == 1 ? fmt::format("makes task {}", child)
                                                : fmt::format("makes tasks {} to {}", child, child + children - 1));
  if (!schedule.missing.empty()) return rows;
  rows.emplace_back("block", fmt::format("block {} does it from {} to {}", schedule.block[row],
                                         task_time(schedule.start[row]), task_time(schedule.end[row])));
  for (const auto& steal : schedule.steals)
    if (steal.task == row)
      rows.emplace_back("stolen", fmt::format("block {} steals it from block {}", steal.to, steal.from));
  const std::int64_t ready = parent < 0 ? 0 : schedule.end[static_cast<std::size_t>(parent)];
  rows.emplace_back("waited",
                    "waits " + task_time(schedule.start[row] - ready) + " between its parent's end and its start");
  if (std::ranges::find(tree.path, row) != tree.path.end())
    rows.emplace_back("path", "lies on the critical path of " + task_time(tree.critical));
  return rows;
}

std::vector<std::string> TasksTrack::against(const Track& other, const std::string& name) const {
  const auto* theirs = other.facet<TasksFacet>();
  const auto own = chart(), base = theirs ? theirs->chart() : nullptr;
  if (!own || !base || own->step != base->step || !own->schedule.missing.empty() || !base->schedule.missing.empty())
    return {};
  const auto times = [](const TaskChart& chart) {
    return static_cast<double>(chart.schedule.makespan) / chart.schedule.bound(chart.tree());
  };
  const double apart = static_cast<double>(base->schedule.makespan) / static_cast<double>(own->schedule.makespan);
  const std::string against = std::abs(apart - 1) < .005 ? "as long as " + name
                              : apart > 1                ? fmt::format("{:.3g} times less than {}", apart, name)
                                                         : fmt::format("{:.3g} times {}", 1 / apart, name);
  return {fmt::format("takes {:.2f} times the least time that {} {}, {}{}", times(*own),
                      counted(own->schedule.blocks, "block"), own->schedule.blocks == 1 ? "allows" : "allow", against,
                      own->schedule.measured ? "" : " by the model")};
}

std::string tasks_look_at(const Simulation& simulation, const std::vector<std::string>& pictures) {
  if (std::ranges::find(pictures, "chart") == pictures.end()) return {};
  for (std::size_t i = 0; i < simulation.size(); ++i) {
    const auto* tasks = simulation.track(i).facet<TasksFacet>();
    const auto chart = tasks ? tasks->chart() : nullptr;
    if (!chart || !chart->schedule.missing.empty()) continue;
    return fmt::format("A row is a block{}. Hatched blocks wait or look in vain; the line is the least time.",
                       chart->schedule.measured ? "" : " of a modelled GPU, not of what runs here");
  }
  return {};
}

std::vector<CurveFigure> ready_curves(const TaskChart& chart) {
  const TaskTree& tree = chart.tree();
  const TaskSchedule& schedule = chart.schedule;
  if (!schedule.missing.empty() || schedule.makespan <= 0) return {};
  constexpr std::size_t places = 128;
  const double wide = static_cast<double>(schedule.makespan) / places;
  // What begins and ends between two places, summed up from left to right.
  std::vector<std::int64_t> ready(places + 2), running(places + 2);
  const auto place = [&](std::int64_t at) {
    return static_cast<std::size_t>(std::clamp(std::ceil(static_cast<double>(at) / wide - .5), 0., double{places}));
  };
  for (std::size_t row = 0; row < tree.size(); ++row) {
    const std::int64_t parent = tree.parent[row];
    ++ready[place(parent < 0 ? 0 : schedule.end[static_cast<std::size_t>(parent)])];
    --ready[place(schedule.start[row])];
    ++running[place(schedule.start[row])];
    --running[place(schedule.end[row])];
  }
  CurveFigure figure;
  figure.key = "ready";
  figure.title = "Ready tasks over time";
  figure.help = "Tasks whose parent has ended and that no block has begun, and blocks that work, at 128 moments.";
  figure.x = std::string("time, \u00b5s (") + (schedule.measured ? "measured)" : "modelled)");
  figure.y = "tasks";
  CurveFigure::Line waiting{"ready tasks", {}, {}, CurveFigure::Line::Kind::bars},
      working{"working blocks", {}, {}, CurveFigure::Line::Kind::theory};
  std::int64_t now = 0, most = 0, at_work = 0;
  for (std::size_t i = 0; i < places; ++i) {
    now += ready[i];
    at_work += running[i];
    most = std::max(most, now);
    const double x = (static_cast<double>(i) + .5) * wide / 1e3;
    waiting.x.push_back(x);
    waiting.y.push_back(static_cast<double>(now));
    working.x.push_back(x);
    working.y.push_back(static_cast<double>(at_work));
  }
  figure.lines = {std::move(waiting), std::move(working)};
  figure.rows = {{"most ready", grouped(static_cast<unsigned long long>(most))},
                 {"busy share", fmt::format("{:.1f} %", 100 * schedule.busy(tree))}};
  return {figure};
}

TaskSchedule schedule_of_events(const TaskTree& tree, std::uint32_t blocks,
                                const std::vector<std::vector<TaskEvent>>& events) {
  TaskSchedule made;
  made.measured = true;
  made.blocks = blocks;
  made.block.resize(tree.size());
  made.start.resize(tree.size());
  made.end.resize(tree.size());
  std::unordered_map<std::uint64_t, std::uint32_t> rows;
  for (std::size_t row = 0; row < tree.size(); ++row) rows.emplace(tree.words[row], static_cast<std::uint32_t>(row));
  std::uint64_t begun = std::numeric_limits<std::uint64_t>::max();
  for (const auto& of_block : events)
    for (const TaskEvent& event : of_block) begun = std::min(begun, event.start);
  std::size_t done = 0;
  for (std::uint32_t b = 0; b < blocks; ++b)
    for (const TaskEvent& event : events[b]) {
      const auto start = static_cast<std::int64_t>(event.start - begun),
                 end = static_cast<std::int64_t>(event.end - begun);
      made.makespan = std::max(made.makespan, end);
      const auto row = rows.find(event.task);
      if (end > start) made.turns.push_back({b, event.kind, start, end, row == rows.end() ? 0 : row->second});
      if (row == rows.end()) continue;
      if (event.kind == TaskTurn::work) {
        made.block[row->second] = b;
        made.start[row->second] = start;
        made.end[row->second] = end;
        ++done;
      } else if (event.from != b) {
        made.steals.push_back({end, event.from, b, row->second});
      }
    }
  if (done != tree.size())
    made.missing = "the device told of " + std::to_string(done) + " of " + std::to_string(tree.size()) + " tasks";
  return made;
}

}  // namespace warploom
