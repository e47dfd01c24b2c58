// The system `tasks`: what its tracks share, and what it refuses.
#include <fmt/format.h>

#include <bit>
#include <mutex>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/core/watched_work.h"
#include "gpu/scenes/irregular/tasks/applications/list.h"
#include "gpu/scenes/irregular/tasks/strategies/list.h"
#include "gpu/scenes/irregular/tracks/tasks_track.h"

namespace warploom {

/// The oracles that were made last.
struct TasksProblem::Kept {
  std::mutex mutex;
  std::shared_ptr<const TaskOracle> newest, before;
};

std::shared_ptr<const TaskOracle> TasksProblem::oracle(Queue& queue, std::uint64_t step) const {
  const std::lock_guard lock(kept_->mutex);
  if (kept_->newest && kept_->newest->step == step) return kept_->newest;
  if (kept_->before && kept_->before->step == step) return kept_->before;
  auto made = std::make_shared<TaskOracle>();
  *made = find_task_application(settings.application).oracle(*this, step, queue.host_pool(), queue.cancel);
  made->step = step;
  kept_->before = std::move(kept_->newest);
  return kept_->newest = std::move(made);
}

TasksProblem::TasksProblem() : kept_(std::make_shared<Kept>()) {}

const std::vector<TaskApplicationInfo>& task_applications() {
  static const std::vector<TaskApplicationInfo> all = [] {
    std::vector<TaskApplicationInfo> infos;
    for_each_type(TaskApplications{}, [&]<class Application>() { infos.push_back(Application::info()); });
    return infos;
  }();
  return all;
}

const TaskApplicationInfo& find_task_application(const std::string& key) {
  for (const auto& one : task_applications())
    if (key == one.key) return one;
  throw UsageError(unknown_message("application", key, texts_of(task_applications(), &TaskApplicationInfo::key)));
}

TaskSchedule modelled_schedule(const std::string& strategy, const TaskTree& tree, std::uint32_t blocks,
                               std::uint64_t capacity, const std::atomic<bool>* cancel) {
  ScheduleMaker maker(tree, blocks, capacity, cancel);
  TaskSchedule made;
  for_each_type(TaskStrategies{}, [&]<class Strategy>() {
    if (strategy == Strategy::info.name) made = Strategy::model(maker);
  });
  return made;
}

namespace {

bool is_octree(const IrregularSettings& settings) { return settings.application == "octree"; }

const TasksProblem& of_tasks(const IrregularProblem& problem) { return dynamic_cast<const TasksProblem&>(problem); }

void check_tasks(const IrregularSettings& settings, const std::vector<std::string>&) {
  find_task_application(settings.application);
  const auto within = [](const char* what, double value, double least, double most) {
    if (!(value >= least && value <= most))
      throw UsageError(fmt::format("{} {}: expected {} to {}", what, value, least, most));
  };
  within("size", settings.size, 64, 4096);
  if (!std::has_single_bit(static_cast<unsigned>(settings.size)))
    throw UsageError(fmt::format("size {}: expected a power of two, such as {}", settings.size,
                                 std::bit_floor(static_cast<unsigned>(settings.size))));
  within("iterations", settings.iterations, 16, 65536);
  within("probability", settings.probability, 0, .124);
  within("grain", settings.grain, 0, 65536);
  within("blocks", settings.blocks, 0, 4096);
  within("capacity", static_cast<double>(settings.capacity), 16, 1 << 24);
  if (is_octree(settings)) check_points(settings);
}

std::uint64_t tasks_key(const IrregularSettings& settings) {
  std::string text = "tasks|" + settings.application;
  if (settings.application == "mandelbrot")
    text += fmt::format("|{}|{}", settings.size, settings.iterations);
  else if (is_octree(settings))
    text += fmt::format("|{}", points_key(settings, 3));
  else
    text += fmt::format("|{}|{}|{}", settings.seed, settings.probability, settings.grain);
  return text_hash(text);
}

std::shared_ptr<const IrregularProblem> tasks_problem(const IrregularSettings& settings) {
  auto problem = std::make_shared<TasksProblem>();
  problem->settings = settings;
  if (is_octree(settings)) {
    problem->points = make_points(settings, 3);
    problem->remarks = problem->points.remarks;
  }
  return problem;
}

double tasks_bytes(const IrregularProblem& of, const IrregularSettings& settings, const std::string&) {
  const TasksProblem& problem = of_tasks(of);
  const TaskApplicationInfo& application = find_task_application(settings.application);
  const double queues =
      2. * 8 * static_cast<double>(std::max<std::int64_t>(settings.capacity, std::int64_t{16} * settings.blocks));
  return 2. * static_cast<double>(application.state_bytes(problem)) +
         4. * static_cast<double>(application.scratch_words(problem) + problem.points.moving.size()) + queues;
}

double tasks_dump_bytes(const IrregularSettings& settings) {
  return settings.application == "mandelbrot" ? 4. * settings.size * settings.size : 0;
}

std::unique_ptr<Track> make_tasks(Queue& queue, const std::shared_ptr<const IrregularProblem>& problem,
                                  const IrregularSettings& settings, const TrackInfo& info) {
  return make_tasks_track(queue, std::dynamic_pointer_cast<const TasksProblem>(problem), settings, info);
}

std::string tasks_caption(const IrregularProblem& of) {
  const TasksProblem& problem = of_tasks(of);
  const IrregularSettings& set = problem.settings;
  if (set.application == "mandelbrot")
    return fmt::format("Mandelbrot set, {0} \u00d7 {0} pixels, {1} iterations", set.size, set.iterations);
  if (is_octree(set))
    return fmt::format("Octree, {} points ({})", grouped(problem.points.count()), problem.points.name);
  return fmt::format("Random tree, seed {}, probability {:g}, grain {}", set.seed, set.probability, set.grain);
}

std::vector<TrackInfo> tasks_tracks() {
  std::vector<TrackInfo> all;
  for_each_type(TaskStrategies{}, [&]<class Strategy>() {
    TrackInfo info;
    info.name = info.map = Strategy::info.name;
    info.title = Strategy::info.title;
    info.description = Strategy::info.description;
    info.citation = Strategy::info.citation;
    all.push_back(info);
  });
  return all;
}

}  // namespace

const IrregularSystem& tasks_system() {
  static const IrregularSystem system{
      "tasks",
      "Task queues",
      "tasks that make tasks: who does them, who waits, and who looks in vain",
      "cederman2008balancing",
      tasks_tracks(),
      "locked_queue,stealing",
      {"chart", "made"},
      "A step makes the next input and does all its tasks: the image zooms in slowly, points move, and a random tree "
      "stays as it is. The chart shows the tasks of the input that was done last.",
      check_tasks,
      tasks_key,
      tasks_problem,
      tasks_bytes,
      tasks_dump_bytes,
      make_tasks,
      tasks_caption,
      tasks_look_at};
  return system;
}

}  // namespace warploom
