#pragma once
#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "gpu/core/buffer.h"
#include "gpu/core/scan.h"
#include "gpu/scenes/irregular/tree/list.h"
#include "gpu/scenes/irregular/tree/look.h"
#include "gpu/scenes/irregular/tree/oracle.h"
#include "gpu/tracks/facets/approximate.h"
#include "gpu/tracks/facets/compared.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/curves.h"
#include "gpu/tracks/facets/described.h"
#include "gpu/tracks/facets/numbers.h"
#include "gpu/tracks/facets/rate.h"
#include "gpu/tracks/facets/stages.h"
#include "gpu/tracks/state_pair.h"

namespace warploom {

/// Points, and the tree of all of them by one strategy. A step moves the points and makes the tree anew. Its functions
/// are the stepping thread's, but for those below "any thread".
class TreeTrack final : public Track,
                        public IrregularFacet,
                        public Approximate,
                        public Counted,
                        public Compared,
                        public Described,
                        public Curves,
                        public Numbers,
                        public RateFacet,
                        public StagesFacet {
  struct State;

 public:
  TreeTrack(Queue& queue, std::shared_ptr<const TreeProblem> problem, const IrregularSettings& settings,
            const TreeKind& kind);
  ~TreeTrack() override;

  void start(Queue& queue) override;
  void poison(Queue& queue) override;
  void adopt(Queue& queue, const Track& from) override;
  void step(Queue& queue) override;
  void publish(Queue& queue) override;
  std::optional<Seal> seal(Queue& queue) override;
  std::optional<Cell> first_difference(Queue& queue, const Track& other) override;
  std::vector<DumpArray> dumps(Queue& queue) override;
  Verdict verdict(Queue& queue, const Track& reference) override;
  IrregularResults results(Queue& queue) override;
  std::vector<std::pair<std::string, double>> numbers(Queue& queue) override;
  void count(Queue&) override {}  // known with each tree

  // ---- any thread ---------------------------------------------------------------------------------------------------
  std::optional<Counts> counts() const override;
  std::vector<std::string> against(const Track& other, const std::string& name) const override;
  Work work() const override { return {static_cast<double>(count()) / 1e6, "MPoints/s"}; }
  std::vector<std::pair<std::string, std::string>> describe(const Selection& selection) const override;
  std::shared_ptr<const std::vector<CurveFigure>> curves() const override;
  Selection stage_after(const Selection& picked, int by) const override;
  Selection element_after(const Selection& picked, int by) const override { return stage_after(picked, by); }
  std::string stage_words(const Selection& picked) const override;

  const TreeProblem& problem() const { return *problem_; }
  int dimension() const { return problem_->points.dimension; }
  std::uint64_t count() const { return problem_->points.count(); }
  bool by_levels() const { return by_levels_; }
  int compact_every() const { return compact_every_; }
  /// What the tree that was finished last cost; null before the first.
  std::shared_ptr<const TreeReport> report() const;
  /// What was painted last, on the host; null: nothing yet, or too many points.
  std::shared_ptr<const TreeLook> look() const;
  /// The level that a selection looks at; none of its own: one in the middle.
  int level_of(const Selection& selection) const;

  /// The finished tree, held still while it lives; in the painter's queue.
  class Reading {
   public:
    Reading(TreeTrack& track, Queue& queue) : track_(track), reader_(track.states_, queue) {}
    TreeKeys keys() const { return {state().codes.data(), track_.count()}; }
    TreeNodes nodes() const { return {state().nodes.data(), static_cast<std::uint32_t>(track_.count())}; }
    const std::uint64_t* boxes() const { return state().boxes.data(); }
    const LevelLists& lists() const { return state().lists; }
    const std::shared_ptr<const TreeReport>& report() const { return state().report; }
    std::uint64_t serial() const { return reader_.serial(); }

   private:
    const State& state() const { return track_.trees_[reader_.index()]; }
    TreeTrack& track_;
    StatePair::Reader reader_;
  };
  /// What is near a selected place; null: it is no such, or nothing was painted yet.
  std::shared_ptr<const NearPoints> near(const Selection& selection) const;
  /// Brings `look` up to date. The thread that paints.
  void take_look(Queue& queue, const Reading& reading);

 private:
  struct State {
    Buffer<std::uint32_t> codes, order;  ///< (n)
    Buffer<PlaceRange> nodes;            ///< (n - 1)
    Buffer<std::uint64_t> boxes;         ///< (n - 1)
    LevelLists lists;
    std::shared_ptr<const TreeReport> report;
  };
  /// The points of a step, and their tree.
  void make(Queue& queue, std::uint64_t time);
  template <int dimension>
  void make_of(Queue& queue, State& to);
  /// Where the finished tree differs from what is right, judged node by node; beyond what answers are known of.
  std::uint64_t wrong_of_some(Queue& queue, std::uint64_t& judged) const;

  std::shared_ptr<const TreeProblem> problem_;
  bool by_levels_;
  int compact_every_;
  std::unique_ptr<TreeStrategy> strategy_;
  StatePair states_;  ///< holds what lies in pairs: step writes one, pictures read the other
  std::array<State, 2> trees_;
  std::size_t front_ = 0;
  std::uint64_t time_ = 0, back_time_ = 0;
  Buffer<std::uint32_t> moving_, points_;
  Buffer<std::uint64_t> words_, sums_;
  Scratch scratch_;

  mutable std::mutex mutex_;  ///< of what any thread asks for
  std::shared_ptr<const TreeReport> report_;
  std::shared_ptr<const TreeLook> look_;
  struct Asked {
    std::uint64_t serial = 0;
    Index3 at;
    std::shared_ptr<const NearPoints> near;
  };
  mutable Asked asked_;  ///< last
  std::mutex looking_;   ///< one at a time
  std::vector<std::unique_ptr<Picture>> own_pictures_;
};

}  // namespace warploom
