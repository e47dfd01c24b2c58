#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <set>

#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/pictures/pictures.h"
#include "gpu/scenes/butterfly/tracks/kept_rows.h"
#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "gpu/scenes/butterfly/tracks/transform.h"
#include "gpu/tracks/facets/approximate.h"
#include "gpu/tracks/facets/compared.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/described.h"
#include "gpu/tracks/facets/follower.h"
#include "gpu/tracks/facets/over_devices.h"
#include "gpu/tracks/facets/rate.h"
#include "gpu/tracks/facets/stages.h"
#include "gpu/tracks/state_pair.h"

namespace warploom {

/// The stages of one problem, on the host: what pictures and cards tell by.
struct StagedValues {
  std::uint64_t serial = 0;  ///< of the state that they lead to
  std::uint64_t problem = 0;
  TransformTrace trace;
  std::vector<float> shades;  ///< (stages + 1, N): 0..1
  std::vector<float> bars;    ///< (2, N): of the input and after the last stage, -1..1
  std::array<NetworkValues::Bars, 2> kinds{};
};

/// Who has an element in a register.
struct Holder {
  std::uint64_t block = 0;
  Index3 thread;
  int item = 0;
  friend bool operator==(const Holder&, const Holder&) = default;
};

/// Rows of a signal, and what a network of operators makes of them. A step makes the next input and transforms all of
/// it. Its functions are the stepping thread's, but for those below "any thread".
class ButterflyTrack final : public Track,
                             public Approximate,
                             public FollowerFacet,
                             public Counted,
                             public Compared,
                             public Described,
                             public NetworkFacet,
                             public StagesFacet,
                             public RateFacet,
                             public OverDevices {
 public:
  ButterflyTrack(Queue& queue, std::shared_ptr<const ButterflyProblem> problem, const TrackInfo& info,
                 const ButterflyVariant& variant);
  ~ButterflyTrack() override;

  void start(Queue& queue);
  /// What the next step writes to becomes what no transform makes.
  void poison(Queue& queue);
  void adopt(Queue& queue, const Track& from) override;
  void step(Queue& queue) override;
  void publish(Queue& queue) override;
  std::optional<Seal> seal(Queue& queue) override;
  std::optional<Cell> first_difference(Queue& queue, const Track& other) override;
  std::vector<DumpArray> dumps(Queue& queue) override;
  Verdict verdict(Queue& queue, const Track& reference) override;
  void follow(Queue& queue, const Track& reference) override;
  void count(Queue&) override {}  // known by their shape

  // ---- any thread ---------------------------------------------------------------------------------------------------
  std::optional<Counts> counts() const override { return stated_; }
  const NetworkReport& network() const override { return report_; }
  std::vector<std::string> against(const Track& other, const std::string& name) const override;
  Selection stage_after(const Selection& picked, int by) const override;
  Selection element_after(const Selection& picked, int by) const override;
  std::string stage_words(const Selection& picked) const override;
  Work work() const override;
  std::vector<Published> published() const override;
  void ask(Queue& questions, const Selection& selection) override;
  std::vector<std::pair<std::string, std::string>> describe(const Selection& selection) const override;
  std::shared_ptr<const DevicesReport> devices() const override;
  /// Whose network is shown.
  std::uint64_t problem_shown() const { return settings().row; }
  /// Of a tuned track whose blocks have whole rows, of the last of its blocks: a bit for each thread that has an
  /// element. Empty: threads of other tracks work from the first of a block on.
  const std::vector<bool>& working_in_last_block() const { return working_in_last_; }
  /// Its stages can be traced: a problem is a block's.
  bool tells_stages() const override { return !edges_.empty(); }
  const ButterflyProblem& problem() const { return *problem_; }
  const ButterflyVariant& variant() const { return variant_; }

  RowShape step_shape() const { return transform_->step_shape(); }
  /// Of one problem, once a stage.
  const std::vector<NetworkEdge>& edges() const { return edges_; }

  /// How far the operands of each stage come, at most, in elements: (stages + 1, the first 0); of networks shown.
  const std::vector<std::uint32_t>& distances() const { return distances_; }

  /// What is at an end of the network: a spectrum is shown by magnitude, all else as it is.
  bool is_spectrum(bool at_output) const;

  /// Who has an element when a stage runs; nullopt: not told of this track.
  std::optional<Holder> holder(int stage, std::uint64_t problem, std::uint32_t element) const;
  /// ... a wire, or a value of the output.
  std::optional<Holder> holder_of(const Selection& selection) const;
  /// What a wire holds then: a wire of the problem that is shown, of others a value of the output.
  Selection held(int stage, const Holder& who) const;
  std::uint32_t kept_columns() const { return keeper_.columns(); }

  /// The finished state, held still while it lives; in the painter's queue.
  class Reading {
   public:
    Reading(ButterflyTrack& track, Queue& queue) : track_(track), reader_(track.states_, queue) {}
    RowMagnitude rows() const { return track_.magnitudes(static_cast<int>(reader_.index())); }
    /// The step that the state is after.
    std::uint64_t step() const { return track_.kept_[reader_.index()].step; }
    KeptRows kept() const {
      const Kept& kept = track_.kept_[reader_.index()];
      return {track_.keeper_.data(), track_.keeper_.columns(), kept.newest, kept.first};
    }

   private:
    ButterflyTrack& track_;
    StatePair::Reader reader_;
  };

  // ---- the thread that paints ---------------------------------------------------------------------------------------
  /// The stages of a problem as the finished state has them, traced anew where it is another; null: nothing to trace.
  std::shared_ptr<const StagedValues> staged(Queue& queue, std::uint64_t problem);
  /// As it was traced last; any thread.
  std::shared_ptr<const StagedValues> staged_last() const;

 private:
  const ButterflySettings& settings() const { return problem_->settings; }
  bool is_system() const { return settings().algorithm == "tridiagonal"; }
  Buffer<std::uint8_t>& input(int state) { return input_[problem_->file.empty() ? state : 0]; }
  /// Input `time` into a state, and what becomes of it.
  void make_input(Queue& queue, int state, std::uint64_t time, bool feeds);
  void run(Queue& queue, int state);
  struct Kept {
    std::uint64_t newest = 0, first = 0;  ///< numbers of outputs
    std::uint64_t step = 0;               ///< that the newest is of
  };
  /// Its output to the rows that are kept, as the newest of them.
  void keep(Queue& queue, int state, const Kept& kept);
  RowMagnitude magnitudes(int state) const;
  /// What another track has, in this track's order.
  void take(Queue& queue, void* to, const ButterflyTrack& other, const Buffer<std::uint8_t>& theirs,
            const RowShape& shape) const;
  /// Rows one after another, whatever way the track keeps them.
  std::vector<std::uint8_t> rows_of(Queue& queue, const Buffer<std::uint8_t>& buffer, const RowShape& shape);
  std::vector<bool> find_working_in_last(std::uint64_t problems) const;
  /// Of one device.
  Counts counted_by_shape(const LaunchShape& shape, std::uint64_t problems, int threads_x) const;
  Counts counted_on_all() const;
  bool is_shared_out() const { return variant_.devices > 1; }
  /// Over all rows: how far from the first track's, and how much of the systems is left.
  double worst_apart(Queue& queue, const ButterflyTrack& reference);
  double worst_left(Queue& queue);
  /// Whose output is held against the oracle.
  std::set<std::uint64_t> rows_judged() const;
  /// The element of the output that was asked for last, where it is this.
  std::optional<std::vector<std::uint8_t>> looked_up(const Selection& selection) const;
  std::vector<std::pair<std::string, std::string>> describe_wire(const Selection& selection) const;
  std::vector<std::pair<std::string, std::string>> describe_output(const Selection& selection) const;
  std::vector<DumpArray> traced_dumps(Queue& queue);

  std::shared_ptr<const ButterflyProblem> problem_;
  ButterflyVariant variant_;
  RowShape in_, out_;
  int front_ = 0;
  StatePair states_;  ///< holds what lies in pairs: step writes one, pictures read the other
  std::uint64_t time_ = 0, back_time_ = 0;
  Buffer<std::uint8_t> input_[2], output_[2];
  RowKeeper keeper_;
  std::array<Kept, 2> kept_{};  ///< of the two states
  Buffer<float> sines_, curve_, fed_;
  bool has_fed_ = false;
  Buffer<std::uint64_t> singular_[2];
  std::unique_ptr<Transform> transform_;
  NetworkReport report_;
  std::vector<NetworkEdge> edges_;  ///< of networks that are shown
  std::vector<std::uint32_t> distances_;
  std::vector<std::int32_t> locations_;
  std::vector<bool> working_in_last_;
  Counts stated_;
  /// The first problem without an answer and its row, of the two states.
  std::optional<Index3> zero_[2];

  std::mutex tracing_;  ///< one at a time
  mutable std::mutex staged_mutex_;
  std::shared_ptr<const StagedValues> staged_;
  /// What was asked of the output last.
  struct Looked {
    std::uint64_t serial = 0;  ///< of the state
    Index3 at;
    std::vector<std::uint8_t> value;
  };
  mutable std::mutex looked_mutex_;
  Looked looked_;
  std::vector<std::unique_ptr<Picture>> own_pictures_;
};

}  // namespace warploom
