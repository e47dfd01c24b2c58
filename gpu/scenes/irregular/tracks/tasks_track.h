#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/scenes/irregular/pictures/tasks_pictures.h"
#include "gpu/scenes/irregular/tracks/tasks_runner.h"
#include "gpu/tracks/facets/approximate.h"
#include "gpu/tracks/facets/compared.h"
#include "gpu/tracks/facets/curves.h"
#include "gpu/tracks/facets/described.h"
#include "gpu/tracks/facets/numbers.h"
#include "gpu/tracks/facets/rate.h"
#include "gpu/tracks/state_pair.h"

namespace warploom {

/// A task of an input, by its row in the tree: x.
inline constexpr const char* task_space = "task";
/// What a block does at a time: the block, and nanoseconds since the start.
inline constexpr const char* block_time_space = "block_time";

/// Who does which task of an input when, with what is right of it. Const once it is made.
struct TaskChart {
  std::uint64_t step = 0;
  std::shared_ptr<const TaskOracle> oracle;
  TaskSchedule schedule;
  std::array<bool, 5> kinds{};        ///< of turns that there are, by TaskTurn::Kind
  std::vector<std::uint32_t> makers;  ///< of each task: who did its parent; its own block where it has none
  /// Turns of a block: from .. to the next block's.
  std::vector<std::uint64_t> first_turn;

  const TaskTree& tree() const { return oracle->tree; }
  /// What a block does at a time, in nanoseconds; null: nothing is told of it.
  const TaskTurn* turn_at(std::uint64_t block, double time) const;
};

/// What cards tell of the tasks of a track.
class TasksFacet : public FacetBase {
 public:
  /// The chart of the state that was sealed last; null: none yet. Any thread.
  virtual std::shared_ptr<const TaskChart> chart() const = 0;
};

/// Tasks that make tasks, under a strategy. A step makes the next input and does all its tasks. Its functions are the
/// stepping thread's, but for those below "any thread".
class TasksTrack final : public Track,
                         public IrregularFacet,
                         public Approximate,
                         public Numbers,
                         public RateFacet,
                         public Compared,
                         public Described,
                         public Curves,
                         public TasksFacet {
 public:
  TasksTrack(Queue& queue, std::shared_ptr<const TasksProblem> problem, const IrregularSettings& settings,
             const TrackInfo& info);
  ~TasksTrack() override;

  void start(Queue& queue) override;
  void poison(Queue& queue) override;
  IrregularResults results(Queue& queue) override;
  void adopt(Queue& queue, const Track& from) override;
  void step(Queue& queue) override;
  void publish(Queue& queue) override;
  std::optional<Seal> seal(Queue& queue) override;
  std::optional<Cell> first_difference(Queue& queue, const Track& other) override;
  std::vector<DumpArray> dumps(Queue& queue) override;
  /// Against the tasks, the image and the leaves of the host's oracle. The chart is made here, too.
  Verdict verdict(Queue& queue, const Track& reference) override;
  std::vector<std::pair<std::string, double>> numbers(Queue& queue) override;

  // ---- any thread ---------------------------------------------------------------------------------------------------
  Work work() const override;
  std::vector<std::string> against(const Track& other, const std::string& name) const override;
  std::vector<std::pair<std::string, std::string>> describe(const Selection& selection) const override;
  std::shared_ptr<const std::vector<CurveFigure>> curves() const override;
  std::shared_ptr<const TaskChart> chart() const override;
  const TasksProblem& problem() const { return *problem_; }
  bool is_measured() const { return measured_; }

  /// The finished state, held still while it lives; in the painter's queue.
  class Reading {
   public:
    Reading(TasksTrack& track, Queue& queue) : reader_(track.states_, queue) {}
    const std::uint8_t* data() const { return reader_.data(); }

   private:
    StatePair::Reader reader_;
  };

 private:
  void run(Queue& queue, std::uint64_t step);
  std::vector<std::int32_t> image(Queue& queue) const;
  std::shared_ptr<const TaskChart> made_chart(Queue& queue);

  std::shared_ptr<const TasksProblem> problem_;
  IrregularSettings settings_;
  const TaskApplicationInfo& application_;
  StatePair states_;
  std::unique_ptr<TaskRunner> runner_;
  bool measured_;
  std::uint64_t time_ = 0, back_time_ = 0;
  TaskTally tally_, back_tally_;
  mutable std::mutex chart_mutex_;
  std::shared_ptr<const TaskChart> chart_;
  std::shared_ptr<const std::vector<CurveFigure>> curves_;
  std::atomic<std::uint64_t> tasks_{0};
  std::vector<std::unique_ptr<Picture>> own_pictures_;
};

std::unique_ptr<Track> make_tasks_track(Queue& queue, std::shared_ptr<const TasksProblem> problem,
                                        const IrregularSettings& settings, const TrackInfo& info);

/// What to look at in the charts, in whole sentences; empty where none is shown.
std::string tasks_look_at(const Simulation& simulation, const std::vector<std::string>& pictures);

/// Tasks that could be done and are not, and blocks at work, over time.
std::vector<CurveFigure> ready_curves(const TaskChart& chart);

}  // namespace warploom
