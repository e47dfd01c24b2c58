#pragma once
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/scenes/irregular/tracks/tasks_track.h"
#include "tests/backends.h"

namespace warploom {

const IrregularSystem& tasks_system();

/// Small problems of each application.
inline IrregularSettings small_tasks(const std::string& application) {
  IrregularSettings settings;
  settings.system = "tasks";
  settings.application = application;
  settings.size = 128;
  settings.iterations = 48;
  settings.probability = .11;
  settings.grain = 1;
  settings.count = 3000;
  settings.capacity = 1 << 18;
  return settings;
}

/// A track that has done input 0.
struct TasksRun {
  TasksRun(Queue& queue, const IrregularSettings& settings, const std::string& name,
           std::shared_ptr<const IrregularProblem> problem = nullptr)
      : track(tasks_system().make(queue, problem ? std::move(problem) : tasks_system().problem(settings), settings,
                                  find_irregular_track(tasks_system(), name))) {
    track->need<IrregularFacet>().start(queue);
    track->publish(queue);
  }
  Verdict verdict(Queue& queue) { return track->need<Approximate>().verdict(queue, *track); }
  TasksTrack& own() { return dynamic_cast<TasksTrack&>(*track); }
  double number(Queue& queue, const std::string& key) {
    for (const auto& [name, value] : track->need<Numbers>().numbers(queue))
      if (name == key) return value;
    throw std::runtime_error("no number " + key);
  }
  std::unique_ptr<Track> track;
};

inline std::vector<std::string> task_strategies() { return texts_of(tasks_system().tracks, &TrackInfo::name); }

}  // namespace warploom
