#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <optional>

#include "gpu/scenes/irregular/hash/success.h"
#include "gpu/scenes/irregular/irregular.h"
#include "gpu/scenes/irregular/tracks/hash_report.h"
#include "gpu/tracks/facets/approximate.h"
#include "gpu/tracks/facets/compared.h"
#include "gpu/tracks/facets/curves.h"
#include "gpu/tracks/facets/described.h"
#include "gpu/tracks/facets/lane_turns.h"
#include "gpu/tracks/facets/numbers.h"
#include "gpu/tracks/facets/rate.h"
#include "gpu/tracks/state_pair.h"

namespace warploom {

/// What can be picked of tables: a key, at.x; and a slot of a track's table, at.x.
inline constexpr const char *key_space = "key", *slot_space = "slot";

/// One of the two states of a track.
struct HashState {
  std::uint64_t time = 0;
  Buffer<std::uint32_t> keys;  ///< of keys that move; else both states have those of the first
  std::unique_ptr<HashTable> table;
  Buffer<std::uint64_t> answers;
};

/// A table of keys, and what it answers to as many queries. A step makes the next keys, builds their table and asks it.
/// Its functions are the stepping thread's, but for those below "any thread".
class HashTrack final : public Track,
                        public IrregularFacet,
                        public Approximate,
                        public Counted,
                        public LaneTurns,
                        public Numbers,
                        public RateFacet,
                        public Compared,
                        public Described,
                        public Curves,
                        public HashFacet {
 public:
  HashTrack(Queue& queue, std::shared_ptr<const HashProblem> problem, const HashStrategy& strategy,
            const HashShape& shape, const TrackInfo& info);
  ~HashTrack() override;

  void start(Queue& queue) override { make_state(queue, 0); }
  void poison(Queue& queue) override;
  IrregularResults results(Queue& queue) override;
  void adopt(Queue& queue, const Track& from) override;
  void step(Queue& queue) override { make_state(queue, states_[front_].time + 1); }
  void publish(Queue& queue) override;
  std::optional<Seal> seal(Queue& queue) override;
  std::optional<Cell> first_difference(Queue& queue, const Track& other) override;
  std::vector<DumpArray> dumps(Queue& queue) override;
  Verdict verdict(Queue& queue, const Track& reference) override;
  void count(Queue& queue) override;
  std::vector<std::pair<std::string, double>> numbers(Queue& queue) override;
  /// The answers of the finished state become wrong: for tests.
  void spoil(Queue& queue, std::uint64_t query, std::uint64_t answer);

  // ---- any thread ---------------------------------------------------------------------------------------------------
  std::optional<Counts> counts() const override;
  Work work() const override { return {static_cast<double>(shape_.keys) / 1e6, "MPairs/s"}; }
  std::vector<Published> published() const override;
  std::vector<std::string> against(const Track& other, const std::string& name) const override;
  std::shared_ptr<const std::vector<CurveFigure>> curves() const override;
  std::shared_ptr<const HashReport> report() const override;
  void ask(Queue& questions, const Selection& selection) override;
  std::vector<std::pair<std::string, std::string>> describe(const Selection& selection) const override;

  const HashProblem& problem() const { return *problem_; }
  const HashShape& shape() const { return shape_; }
  const HashStrategy& strategy() const { return strategy_; }
  /// What was found out of a selection of `key` or `slot`, where it was asked for last.
  struct Looked {
    std::uint64_t serial = 0;  ///< of the state
    Selection selection;
    std::uint64_t word = empty_word;  ///< in the slot that is selected
    std::optional<std::uint32_t> key;
    HashWalk walk;  ///< of the key
  };
  std::shared_ptr<const Looked> looked(const Selection& selection) const;

  /// The finished state, held still while it lives; in the caller's queue.
  class Reading {
   public:
    Reading(HashTrack& track, Queue& queue) : reader_(track.pair_, queue), state_(track.states_[reader_.index()]) {}
    const HashTable& table() const { return *state_.table; }
    std::uint64_t step() const { return state_.time; }
    std::uint64_t serial() const { return reader_.serial(); }

   private:
    StatePair::Reader reader_;
    const HashState& state_;
  };

 private:
  void make_state(Queue& queue, std::uint64_t time);
  const Buffer<std::uint32_t>& keys(std::size_t state) const { return states_[problem_->moves() ? state : 0].keys; }
  void make_voxels(Queue& queue, std::uint64_t time, bool mirror, std::uint32_t* to);
  std::vector<CurveFigure> make_curves(const HashReport& report, const LevelTwoSuccess::Points& success) const;

  std::shared_ptr<const HashProblem> problem_;
  HashStrategy strategy_;
  HashShape shape_;
  std::uint64_t slots_;
  Buffer<std::uint32_t> file_, row_counts_, row_offsets_, queries_, probes_;
  Buffer<std::uint64_t> tally_, sums_;
  Scratch scratch_, scanning_;
  StatePair pair_;  ///< holds what lies in pairs: a step writes one, pictures read the other
  std::size_t front_ = 0;
  std::array<HashState, 2> states_;

  mutable std::mutex report_mutex_;
  std::shared_ptr<const HashReport> report_;
  std::uint64_t reported_ = 0;  ///< publications that it is of
  std::uint64_t published_ = 0;
  mutable std::mutex looked_mutex_;
  std::vector<std::shared_ptr<const Looked>> looked_;  ///< the newest first: the mouse, what is picked, pinned
  std::unique_ptr<LevelTwoSuccess> success_;
  struct MadeCurves {
    std::shared_ptr<const HashReport> of;
    std::size_t measured = 0;
    std::shared_ptr<const std::vector<CurveFigure>> figures;
  };
  mutable MadeCurves curves_;
  std::vector<std::unique_ptr<Picture>> own_pictures_;
};

}  // namespace warploom
