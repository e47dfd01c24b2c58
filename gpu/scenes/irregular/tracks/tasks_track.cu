#include "gpu/scenes/irregular/tracks/tasks_track.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/core/launch.h"
#include "gpu/core/scoped_member.h"
#include "gpu/scenes/irregular/tasks/applications/octree.h"
#include "gpu/tracks/sum_over.h"

namespace warploom {

namespace {

/// key_hash(n, Y size + X) of a pixel.
struct SealTaskPixel {
  const std::int32_t* image;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    return key_hash(static_cast<std::uint64_t>(image[i]), i);
  }
};

/// Blocks of a chart where the settings leave it open, on the CPU: a small GPU.
constexpr std::uint32_t chart_blocks = 32;

}  // namespace

QueueFull::QueueFull(const std::string& track, std::uint64_t waiting, std::uint64_t capacity)
    : UsageError(track + ": queue full: " + std::to_string(waiting) + " waiting, capacity " + std::to_string(capacity) +
                 "; choose a larger 'capacity', or fewer 'blocks' where each has a queue of its own") {}

TasksTrack::TasksTrack(Queue& queue, std::shared_ptr<const TasksProblem> problem, const IrregularSettings& settings,
                       const TrackInfo& info)
    : problem_(std::move(problem)),
      settings_(settings),
      application_(find_task_application(settings.application)),
      states_(queue, application_.state_bytes(*problem_)),
      measured_(settings.clock == "measured" || (settings.clock == "auto" && queue.backend() == Backend::cuda)) {
  if (measured_ && queue.backend() == Backend::cpu)
    throw UsageError("clock=measured: the CPU engine's times say nothing of a GPU; choose modelled or auto");
  runner_ = task_runner_maker(settings.application)(queue, problem_, settings, info.name);
  offer<IrregularFacet>(*this);
  offer<Approximate>(*this);
  offer<Numbers>(*this);
  offer<RateFacet>(*this);
  offer<Compared>(*this);
  offer<Described>(*this);
  offer<Curves>(*this);
  offer<TasksFacet>(*this);
  info_ = info;
  kernel_ = "tasks.run";
  const std::uint64_t first = application_.first(*problem_).size(), points = problem_->points.count();
  const auto size = static_cast<std::uint32_t>(settings.size);
  extent_ = application_.makes_image ? Index3{size, size, 1}
                                     : Index3{static_cast<std::uint32_t>(points ? points : first), 1, 1};
  cells_ = volume(extent_);
  stages_.push_back({"tasks.input", {row_shape(std::max(first, points))}, 0, false});
  output_stage_ = stages_.size();
  stages_.push_back({kernel_, {{{runner_->blocks(), 1, 1}, {task_threads, 1, 1}}}, 0, false});
  own_pictures_ = tasks_pictures(*this);
  for (const auto& picture : own_pictures_) pictures_.push_back(picture.get());
  state_bytes_ = states_.bytes() + runner_->bytes();
}

TasksTrack::~TasksTrack() = default;

void TasksTrack::run(Queue& queue, std::uint64_t step) {
  const StatePair::Writer writer(states_, queue, false);
  back_tally_ = runner_->run(queue, step, writer.data());
  back_time_ = step;
}

void TasksTrack::start(Queue& queue) { run(queue, 0); }

void TasksTrack::poison(Queue& queue) {
  const StatePair::Writer writer(states_, queue, false);
  fill_with_ones(queue, writer.data(), states_.one_bytes());
  back_tally_ = {};
}

void TasksTrack::adopt(Queue& queue, const Track& from) { run(queue, dynamic_cast<const TasksTrack&>(from).time_); }

void TasksTrack::step(Queue& queue) {
  try {
    run(queue, time_ + 1);
  } catch (const QueueFull& full) {  // no setting was wrong: the run ends
    throw Error(full.what());
  }
}

void TasksTrack::publish(Queue&) {
  states_.flip();
  time_ = back_time_;
  tally_ = back_tally_;
  tasks_ = tally_.tasks;
}

std::optional<Seal> TasksTrack::seal(Queue& queue) {
  if (!application_.makes_image) return Seal{tally_.seal, tally_.tasks, std::nullopt};
  Buffer<std::uint64_t> words;
  const auto* pixels = reinterpret_cast<const std::int32_t*>(states_.finished());
  const std::uint64_t hash = sum_over("tasks.seal", queue, cells_, SealTaskPixel{pixels}, words);
  return Seal{hash, tally_.tasks, std::nullopt};
}

std::vector<std::int32_t> TasksTrack::image(Queue& queue) const {
  std::vector<std::int32_t> pixels(cells_);
  download_bytes(queue, pixels.data(), states_.finished(), cells_ * sizeof pixels[0]);
  return pixels;
}

std::optional<Cell> TasksTrack::first_difference(Queue& queue, const Track& other) {
  if (!application_.makes_image) return std::nullopt;
  const auto mine = image(queue), theirs = dynamic_cast<const TasksTrack&>(other).image(queue);
  const auto differs = std::mismatch(mine.begin(), mine.end(), theirs.begin());
  if (differs.first == mine.end()) return std::nullopt;
  return unfold(static_cast<std::uint64_t>(differs.first - mine.begin()), extent_);
}

Verdict TasksTrack::verdict(Queue& queue, const Track&) {
  const auto oracle = problem_->oracle(queue, time_);
  const TaskTree& tree = oracle->tree;
  const auto apart = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; };
  std::uint64_t wrong = apart(tally_.tasks, tree.size()) + apart(tally_.leaves, tree.leaves());
  Verdict verdict{"oracle", "bitwise", tree.size(), 0, 0, std::nullopt};
  if (application_.makes_image) {
    const std::vector<std::int32_t> pixels = image(queue);
    for (std::size_t i = 0; i < pixels.size(); ++i) wrong += pixels[i] != oracle->image[i];
    verdict.rows = pixels.size();
  } else {
    wrong += tally_.seal != oracle->seal;
  }
  if (!oracle->codes.empty()) {
    std::vector<std::uint32_t> codes(cells_);
    download_bytes(queue, codes.data(), states_.finished(), cells_ * sizeof codes[0]);
    // A leaf holds its points in any order.
    for (std::size_t row = 0; row < tree.size(); ++row) {
      if (tree.children[row]) continue;
      const auto range = Octree::Range::of(tree.words[row]);
      const auto first = static_cast<std::ptrdiff_t>(range.first),
                 last = first + static_cast<std::ptrdiff_t>(range.count);
      std::sort(codes.begin() + first, codes.begin() + last);
      wrong += !std::equal(codes.begin() + first, codes.begin() + last, oracle->codes.begin() + first);
    }
  }
  verdict.error = static_cast<double>(wrong);
  made_chart(queue);
  return verdict;
}

std::shared_ptr<const TaskChart> TasksTrack::made_chart(Queue& queue) {
  if (auto last = chart(); last && last->step == time_) return last;
  auto made = std::make_shared<TaskChart>();
  made->step = time_;
  made->oracle = problem_->oracle(queue, time_);
  const TaskTree& tree = made->tree();
  if (measured_) {
    made->schedule = runner_->measured(queue, time_, tree);
  } else {
    const std::uint32_t blocks = settings_.blocks > 0              ? static_cast<std::uint32_t>(settings_.blocks)
                                 : queue.backend() == Backend::cpu ? chart_blocks
                                                                   : runner_->blocks();
    made->schedule =
        modelled_schedule(info_.name, tree, blocks, static_cast<std::uint64_t>(settings_.capacity), queue.cancel);
  }
  const TaskSchedule& schedule = made->schedule;
  made->makers = schedule.block;
  for (std::size_t row = 0; row < tree.size(); ++row)
    if (tree.parent[row] >= 0) made->makers[row] = schedule.block[static_cast<std::size_t>(tree.parent[row])];
  for (const TaskTurn& turn : schedule.turns) made->kinds[turn.kind] = true;
  made->first_turn.assign(std::size_t{schedule.blocks} + 1, schedule.turns.size());
  for (std::size_t i = schedule.turns.size(); i-- > 0;) made->first_turn[schedule.turns[i].block] = i;
  for (std::size_t b = schedule.blocks; b-- > 0;)
    made->first_turn[b] = std::min(made->first_turn[b], made->first_turn[b + 1]);
  auto curves = std::make_shared<const std::vector<CurveFigure>>(ready_curves(*made));
  const std::lock_guard lock(chart_mutex_);
  curves_ = std::move(curves);
  return chart_ = std::move(made);
}

std::shared_ptr<const TaskChart> TasksTrack::chart() const {
  const std::lock_guard lock(chart_mutex_);
  return chart_;
}

std::shared_ptr<const std::vector<CurveFigure>> TasksTrack::curves() const {
  const std::lock_guard lock(chart_mutex_);
  return curves_;
}

IrregularResults TasksTrack::results(Queue& queue) {
  const auto oracle = problem_->oracle(queue, time_);
  const TaskTree& tree = oracle->tree;
  IrregularResults all{{"tasks", tree.size()},
                       {"generations", tree.generations()},
                       {"work_ns", static_cast<std::uint64_t>(tree.total)},
                       {"critical_path_ns", static_cast<std::uint64_t>(tree.critical)}};
  if (application_.makes_image) {
    std::uint64_t unlike = 0;
    const auto pixels = image(queue);
    for (std::size_t i = 0; i < pixels.size(); ++i) unlike += oracle->brute[i] >= 0 && oracle->brute[i] != pixels[i];
    all.emplace_back("unlike", unlike);
  } else if (!oracle->codes.empty()) {
    all.emplace_back("leaves", tree.leaves());
  }
  return all;
}

std::vector<std::pair<std::string, double>> TasksTrack::numbers(Queue& queue) {
  const auto chart = made_chart(queue);
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  return {{"made", number(tally_.tasks)},
          {"steals", number(tally_.steals)},
          {"failed_steals", number(tally_.failed)},
          {"lost_exchanges", number(tally_.lost)},
          {"longest_queue", number(tally_.longest)},
          {"launches", number(tally_.launches)},
          {"makespan_ns", static_cast<double>(chart->schedule.makespan)},
          {"busy_share", chart->schedule.busy(chart->tree())}};
}

RateFacet::Work TasksTrack::work() const { return {static_cast<double>(tasks_) / 1e6, "MTasks/s"}; }

std::vector<DumpArray> TasksTrack::dumps(Queue& queue) {
  std::vector<DumpArray> arrays;
  if (application_.makes_image)
    arrays.push_back({"image",
                      "<i4",
                      "int32",
                      {extent_.y, extent_.x},
                      array_bytes(image(queue)),
                      "iterations until the pixel's point leaves the circle"});
  if (!settings_.timeline) return arrays;
  const auto chart = made_chart(queue);
  const TaskTree& tree = chart->tree();
  const TaskSchedule& schedule = chart->schedule;
  if (!schedule.missing.empty()) throw UsageError(info_.name + ": no timeline: " + schedule.missing);
  check_dump(48. * static_cast<double>(tree.size()));
  check_dump(32. * static_cast<double>(schedule.turns.size()));
  std::vector<std::int64_t> tasks, turns;
  for (std::size_t row = 0; row < tree.size(); ++row)
    tasks.insert(tasks.end(), {tree.parent[row], tree.work[row], schedule.block[row], schedule.start[row],
                               schedule.end[row], tree.depth[row]});
  for (const TaskTurn& turn : schedule.turns) turns.insert(turns.end(), {turn.block, turn.kind, turn.start, turn.end});
  arrays.push_back({"tasks",
                    "<i8",
                    "int64",
                    {tree.size(), 6},
                    array_bytes(tasks),
                    "parent (a row, or -1), work, block, start, end, depth; in ns of the chart's clock"});
  arrays.push_back({"turns",
                    "<i8",
                    "int64",
                    {schedule.turns.size(), 4},
                    array_bytes(turns),
                    "block, kind (0 work, 1 queue, 2 wait, 3 look in vain, 4 launch), start, end"});
  return arrays;
}

std::unique_ptr<Track> make_tasks_track(Queue& queue, std::shared_ptr<const TasksProblem> problem,
                                        const IrregularSettings& settings, const TrackInfo& info) {
  return std::make_unique<TasksTrack>(queue, std::move(problem), settings, info);
}

}  // namespace warploom
