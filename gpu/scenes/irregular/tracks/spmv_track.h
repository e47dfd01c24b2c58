#pragma once
#include <array>
#include <memory>
#include <mutex>

#include "gpu/core/buffer.h"
#include "gpu/scenes/irregular/irregular.h"
#include "gpu/scenes/irregular/spmv/layout.h"
#include "gpu/scenes/irregular/spmv/product.h"
#include "gpu/tracks/facets/approximate.h"
#include "gpu/tracks/facets/budget.h"
#include "gpu/tracks/facets/compared.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/curves.h"
#include "gpu/tracks/facets/described.h"
#include "gpu/tracks/facets/lane_turns.h"
#include "gpu/tracks/facets/numbers.h"
#include "gpu/tracks/facets/rate.h"
#include "gpu/tracks/facets/threads.h"
#include "gpu/tracks/state_pair.h"

namespace warploom {

/// Whose y is held against the oracle: all rows up to 2^22 nonzeros, else as many nonzeros' rows, by hash of the step.
std::vector<std::uint32_t> spmv_rows_judged(const SpmvMatrix& matrix, std::uint64_t step);

/// A matrix in one format, under one schedule: a step makes the next x and multiplies. Its functions are the stepping
/// thread's, but for those below "any thread".
class SpmvTrack final : public Track,
                        public IrregularFacet,
                        public Approximate,
                        public Numbers,
                        public Counted,
                        public LaneTurns,
                        public Threads,
                        public Described,
                        public Curves,
                        public Compared,
                        public BudgetFacet,
                        public RateFacet {
 public:
  SpmvTrack(Queue& queue, std::shared_ptr<const SpmvProblem> problem, const IrregularSettings& settings,
            const TrackInfo& info);
  ~SpmvTrack() override;

  void start(Queue& queue) override;
  void poison(Queue& queue) override;
  void adopt(Queue& queue, const Track& from) override;
  void step(Queue& queue) override;
  void publish(Queue& queue) override;
  std::optional<Seal> seal(Queue& queue) override;
  std::optional<Cell> first_difference(Queue& queue, const Track& other) override;
  std::vector<DumpArray> dumps(Queue& queue) override;
  IrregularResults results(Queue& queue) override;
  Verdict verdict(Queue& queue, const Track& reference) override;
  std::vector<std::pair<std::string, double>> numbers(Queue& queue) override;
  void count(Queue&) override {}  // known in closed form

  // ---- any thread ---------------------------------------------------------------------------------------------------
  const SpmvProblem& problem() const { return *problem_; }
  const SpmvMatrix& matrix() const { return problem_->matrix; }
  /// Who, when and where; null of `vendor`.
  const SpmvLayout* layout() const { return layout_.get(); }
  /// How long making the format took on the backend.
  double setup_ms() const { return setup_ms_; }
  std::optional<Counts> counts() const override;
  bool owner(Cell cell, Owner& who) const override;
  std::optional<Target> target(const Owner& who) const override;
  std::optional<std::pair<Cell, Cell>> footprint(const Owner& who) const override;
  Served served(const Owner& who) const override;
  Owner at_work(const Owner& who) const override;
  bool launched(const Owner& who) const override;
  std::uint64_t address(Cell cell) const override;
  void ask(Queue& questions, const Selection& selection) override;
  std::vector<std::pair<std::string, std::string>> describe(const Selection& selection) const override;
  std::shared_ptr<const std::vector<CurveFigure>> curves() const override { return curves_; }
  std::vector<std::string> against(const Track& other, const std::string& name) const override;
  std::vector<BudgetBar> budget() const override;
  double budget_bytes() const override { return free_bytes_; }
  Work work() const override;
  std::vector<Published> published() const override;

  /// The finished state, held still while it lives; in the painter's queue. Memory of the backend.
  class Reading {
   public:
    Reading(SpmvTrack& track, Queue& queue) : track_(track), reader_(track.states_, queue) {}
    const float* x() const { return reinterpret_cast<const float*>(reader_.data()); }                 ///< (columns)
    const float* y() const { return reinterpret_cast<const float*>(reader_.data() + track_.y_at_); }  ///< (rows)
    /// Number of the input, k.
    std::uint64_t step() const { return track_.steps_[reader_.index()]; }
    /// Changes with the state.
    std::uint64_t serial() const { return reader_.serial(); }

   private:
    SpmvTrack& track_;
    StatePair::Reader reader_;
  };

 private:
  /// Input k into the state that is not shown, and its product.
  void run(Queue& queue, std::uint64_t step);
  /// x and y of the finished state, on the host.
  std::vector<float> x_of(Queue& queue) const;
  std::vector<float> y_of(Queue& queue) const;
  std::vector<CurveFigure> make_curves() const;

  std::shared_ptr<const SpmvProblem> problem_;
  IrregularSettings settings_;
  std::unique_ptr<const SpmvLayout> layout_;
  std::vector<SpmvBytes> all_bytes_;
  std::unique_ptr<SpmvProduct> product_;
  double setup_ms_ = 0, free_bytes_ = 0;
  std::uint64_t y_at_ = 0;                ///< bytes of x, rounded up
  StatePair states_;                      ///< x, then y
  std::array<std::uint64_t, 3> steps_{};  ///< whose input each state has
  Buffer<std::uint64_t> words_;           ///< of seals
  std::shared_ptr<const std::vector<CurveFigure>> curves_;
  /// x and y of what was asked of last.
  struct Looked {
    std::uint64_t serial = 0;  ///< of the state; 0: nothing was asked
    Index3 at = {};
    float x = 0, y = 0;
  };
  mutable std::mutex looked_mutex_;
  Looked looked_;
  std::vector<std::unique_ptr<Picture>> own_pictures_;
};

}  // namespace warploom
