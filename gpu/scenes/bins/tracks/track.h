#pragma once
#include <chrono>
#include <mutex>

#include "gpu/core/buffer.h"
#include "gpu/core/device_event.h"
#include "gpu/core/host_stage.h"
#include "gpu/core/launch.h"
#include "gpu/core/scan.h"
#include "gpu/scenes/bins/access/list.h"
#include "gpu/scenes/bins/bins.h"
#include "gpu/scenes/bins/kernels/application.h"
#include "gpu/scenes/bins/kernels/audit.h"
#include "gpu/scenes/bins/kernels/cap_search.h"
#include "gpu/scenes/bins/kernels/gather.h"
#include "gpu/scenes/bins/tracks/image.h"
#include "gpu/scenes/bins/tracks/looks.h"
#include "gpu/scenes/bins/tracks/padding_facet.h"
#include "gpu/scenes/bins/tracks/snapshot.h"
#include "gpu/tracks/facets/approximate.h"
#include "gpu/tracks/facets/budget.h"
#include "gpu/tracks/facets/compared.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/curves.h"
#include "gpu/tracks/facets/described.h"
#include "gpu/tracks/facets/follower.h"
#include "gpu/tracks/facets/numbers.h"
#include "gpu/tracks/facets/threads.h"
#include "gpu/tracks/state_pair.h"

namespace warploom {

/// What selections of a scene of bins are called beside cells, threads and blocks. An element's number is in x.
inline constexpr const char *bin_space = "bin", *element_space = "element";

/// The largest of the values of blocks, and what they sum up to.
struct MostAndSum {
  double most = 0, sum = 0;
  std::uint64_t count = 0;
  MostAndSum() = default;
  explicit MostAndSum(const std::vector<std::uint64_t>& values) : count(values.size()) {
    for (const std::uint64_t value : values) {
      most = std::max(most, static_cast<double>(value));
      sum += static_cast<double>(value);
    }
  }
  double mean() const { return sum / static_cast<double>(count); }
};

/// By a variant of the gather that looks at the clock, launched apart from what steps.
struct BlockTimes {
  std::uint64_t serial = 0;          ///< how many were taken so far
  std::vector<std::uint64_t> times;  ///< in launch order
  const char* unit = "";
  MostAndSum all;
  double overhead = 0;  ///< how much longer it takes than the gather itself, as a share
};

/// An element as a track has it.
struct ElementFound {
  Float3 place;
  Index3 bin;
  float reach = 0;                    ///< how far outputs feel it
  std::optional<std::uint64_t> slot;  ///< none: it has none, or it is not known
  bool spilled = false;
};

/// Bins of elements, under one structure and access, and the outputs gathered from them. What hangs on the application
/// is in BinsTrackOf. Its functions are the stepping thread's, but for those below "any thread".
class BinsTrack : public Track,
                  public Approximate,
                  public Numbers,
                  public FollowerFacet,
                  public Threads,
                  public Counted,
                  public Described,
                  public Curves,
                  public BudgetFacet,
                  public Compared,
                  public PaddingFacet {
 public:
  BinsTrack(Queue& queue, std::shared_ptr<const BinProblem> problem, const BinApplicationInfo& application,
            const TrackInfo& info, const BinVariant& variant);

  void start(Queue& queue);
  void adopt(Queue& queue, const Track& from) override;
  void step(Queue& queue) override;
  void publish(Queue& queue) override;
  void give_up(Queue& queue) override;
  std::optional<Seal> seal(Queue& queue) override;
  std::optional<Cell> first_difference(Queue& queue, const Track& other) override;
  std::vector<DumpArray> dumps(Queue& queue) override;
  Verdict verdict(Queue& queue, const Track& reference) override;
  std::vector<std::pair<std::string, double>> numbers(Queue& queue) override;
  void follow(Queue& queue, const Track& reference) override;

  const BinProblem& problem() const { return *problem_; }
  const BinSpace& space() const { return problem_->space; }
  unsigned width() const { return application_.width; }
  std::vector<float> elements(Queue& queue) const { return finished_elements().download(queue); }
  std::vector<float> velocities(Queue& queue) const { return velocities_[front_].download(queue); }
  /// Of each element its bin, and of each bin how many it has.
  std::vector<std::uint32_t> bin_numbers(Queue& queue);
  std::vector<std::uint32_t> counts(Queue& queue);
  std::vector<float> outputs_at(Queue& queue, std::span<const std::uint64_t> at);
  void poison(Queue& queue);
  /// Outputs that have an element too near to be told; of applications that leave those out.
  std::optional<std::uint64_t> excluded(Queue& queue);
  /// What the bodies of the start have.
  const Conserved& conserved_at_start();

  // ---- any thread ---------------------------------------------------------------------------------------------------
  const BinApplicationInfo& application() const { return application_; }
  const BinVariant& variant() const { return variant_; }
  bool has_bins() const { return variant_.access->structure != BinStructure::none; }
  bool regular() const { return variant_.access->structure == BinStructure::regular; }
  OutputTiles output_tiles() const;
  /// Bytes of a slot, and of what is looked up beside slots.
  double slot_bytes() const { return floats_a_slot() * sizeof(float); }
  double index_bytes() const;
  double stored_bytes(const BinsSnapshot& snapshot) const {
    return static_cast<double>(snapshot.slots) * slot_bytes() + index_bytes();
  }
  /// The bins that are looked at for what is selected, where that is known: an output, a block, or a bin's own
  /// elements.
  std::optional<BinBox> bins_read(const Selected& selected) const;
  /// The rows of them, as the track's access has them.
  std::vector<BinRow> rows_read(const Selected& selected) const;
  /// A row of bins is one run of slots.
  bool reads_rows() const { return !variant_.access->by_bins; }
  /// The image as it was made last; null before.
  const BinImage* shown_image() const { return shown_image_; }
  std::uint64_t images_made() const { return images_made_; }
  double last_image_error() const { return last_image_error_; }
  /// The image is looked at: it is made at the next step, or when results are asked for.
  void want_image() { image_wanted_ = true; }
  /// How long each block of the gather took; null: not asked for.
  std::shared_ptr<const BlockTimes> block_times() const;
  /// They are looked at: taken after a step, some of them.
  void want_block_times() { times_wanted_ = true; }
  bool no_room_for_times() const { return no_room_for_times_; }
  /// How full the bins are that were painted last; null before.
  std::shared_ptr<const BinsSnapshot> snapshot() const;

  bool owner(Cell cell, Owner& who) const override;
  std::optional<Target> target(const Owner& who) const override;
  std::optional<std::pair<Cell, Cell>> footprint(const Owner& who) const override;
  bool launched(const Owner& who) const override;
  std::uint64_t address(Cell cell) const override;
  void count(Queue&) override {}  // known by their shape
  std::optional<Counts> counts() const override { return stated_; }
  void ask(Queue& questions, const Selection& selection) override;
  std::vector<std::pair<std::string, std::string>> describe(const Selection& selection) const override;
  /// Of a selected element that was asked for.
  std::optional<ElementFound> element_found(const Selection& selection) const;
  std::shared_ptr<const std::vector<CurveFigure>> curves() const override;
  std::vector<BudgetBar> budget() const override;
  double budget_bytes() const override { return budget_bytes_; }
  std::vector<std::string> against(const Track& other, const std::string& name) const override;
  std::optional<PaddingByCapacity> padding() const override;
  /// "30 of 1 200 spilled"; where those are all: "fastest without bins, 1 200 of 1 200 spilled". Empty: none are.
  std::string spilled_words(const BinsSnapshot& snapshot) const;

  // ---- the thread that paints ---------------------------------------------------------------------------------------
  /// Hits of the outputs of a lattice, whose elements stay where they are: counted apart from what the track steps
  /// with.
  void show_hits(Queue& queue, const Elements& elements, float* hits) const;
  class Reading;
  /// Pairs that each block of a lattice's gather tests, in launch order: `loads` is as long, and 0 before.
  void show_loads(Queue& queue, const Reading& reading, Buffer<std::uint64_t>& loads) const;
  /// The finished state, held still while it lives.
  class Reading {
   public:
    Reading(BinsTrack& track, Queue& queue) : track_(track), reader_(track.states_, queue) {}
    /// As StatePair::Reader's.
    Reading(BinsTrack& track, Queue& queue, std::try_to_lock_t if_free)
        : track_(track), reader_(track.states_, queue, if_free) {}
    explicit operator bool() const { return static_cast<bool>(reader_); }
    const BinShape& shape() const { return track_.shapes_[reader_.index()]; }
    /// Without values; counts are null where nothing is binned.
    BinSlots slots() const { return track_.slots_of(state()); }
    Elements elements() const { return track_.view(state()); }
    /// Of each element in its bin; null where there are none, or too many to be kept for a state.
    const std::uint32_t* ranks() const {
      return track_.keeps_ranks() ? track_.ranks_[reader_.index()].data() : nullptr;
    }
    const float* output() const { return track_.output_[reader_.index()].data(); }
    std::uint64_t serial() const { return reader_.serial(); }

   private:
    int state() const { return static_cast<int>(reader_.index()); }
    BinsTrack& track_;
    StatePair::Reader reader_;
  };
  /// Brings the snapshot up to date; of many bins a few times a second. The thread that steps does it, too, of few
  /// bins.
  void look(Queue& queue, const Reading& reading);
  /// How often a look that had to wait has become due. Any thread.
  std::uint64_t late_looks();
  std::optional<BinImage> image(Queue& queue);
  std::optional<double> image_error(Queue& queue);
  /// Both, where the image is looked at.
  void show_image(Queue& queue);
  /// ... and the times of blocks.
  void show_block_times(Queue& queue);

 protected:
  /// Of one of the two states; elements of a lattice are in both.
  const Buffer<float>& elements_of(int state) const { return elements_[moves() ? state : 0]; }
  Elements finished() const { return view(front_); }
  Elements view(int state) const { return {elements_of(state).data(), application_.width, count()}; }
  /// The bins as they are in one of the two states.
  BinSlots slots(int state) const;
  /// ... without their values.
  BinSlots slots_of(int state) const;
  std::uint64_t count() const { return problem_->input.count(); }
  /// The last thing that a constructor does: what a step runs follows from the application, too.
  void describe_stages(Backend backend);

  // ---- of the application: application.cu.in ------------------------------------------------------------------------
  virtual LaunchShape output_shape() const = 0;
  /// The stages that make the output, the one that gathers first.
  virtual std::vector<Stage> output_stages() const = 0;
  /// The offsets of compact bins are known: what else of them the outputs are made by. Part of bins.scan.
  virtual void prepare(Queue& queue, const BinSlots& slots) = 0;
  /// Bytes that this holds.
  virtual std::uint64_t prepared_bytes() const = 0;
  /// By the elements and bins of a state. `times`: how long each block of a gather by outputs took (block_times.h),
  /// then launched under another name; null: untold.
  virtual void gather(Queue& queue, int state, float* out, std::uint64_t* times = nullptr) = 0;
  /// What is done to outputs when they are whole.
  virtual void finish(Queue& queue, float* out) = 0;
  /// On the host: adds the terms of spilled elements to all outputs that they reach, in double. `bodies`: of a periodic
  /// box, all of them.
  virtual std::vector<double> spill(Backend backend, Pool& pool, const std::atomic<bool>* cancel,
                                    const std::vector<float>& spilled, const std::vector<float>& bodies) const = 0;
  /// Of a lattice: how many elements each output has in reach, as numbers to be shown. Any thread with a queue.
  virtual void count_hits(Queue& queue, const BinSlots& slots, float* hits) const = 0;
  /// ... and the pairs that each block of a gather which culls tests; added to `loads`.
  virtual void count_culled(Queue& queue, const Elements& elements, std::uint64_t* loads) const = 0;
  /// What is told of a place, into `to`; `found` is 0 before; `output`: of the same state. Any thread with a queue.
  virtual void look_for(Queue& queue, const Elements& elements, const LookedAt& looked, const SlotOfElement& slots,
                        const float* output, std::uint64_t* found, LookFound* to) const = 0;
  /// Of the finished state: adds to what is in `out`. `access` is that of `slots`.
  virtual void run_audit(Queue& queue, const BinSlots& slots, int access, const AuditOut& out) = 0;
  /// Throws UsageError where so much more memory is not to be had.
  void check_room(Backend backend, double bytes) const;

  std::shared_ptr<const BinProblem> problem_;
  const BinApplicationInfo& application_;
  BinVariant variant_;
  Buffer<double> sums_;               ///< of the spread
  std::unique_ptr<GridImage> image_;  ///< of applications that have one

 private:
  bool moves() const { return application_.periodic; }
  std::optional<Reach> reach_of(const Selected& selected) const;
  std::optional<LookedAt> looked_at(const Selection& selection) const;
  std::optional<LookFound> found(const Selection& selection) const;
  std::vector<std::pair<std::string, std::string>> describe_output(const Selection& selection) const;
  std::vector<std::pair<std::string, std::string>> describe_element(const Selection& selection) const;
  std::vector<std::pair<std::string, std::string>> describe_bin(const Selection& selection) const;
  /// Empty of layouts that have an element in several places.
  std::string address_of(std::uint64_t slot) const;
  /// Where elements are few enough to be looked at one by one, each state has its own ranks.
  bool keeps_ranks() const { return has_bins() && count() <= BinsSnapshot::most_elements; }
  Buffer<std::uint32_t>& ranks(int state) { return ranks_[keeps_ranks() ? state : 0]; }
  std::uint64_t outputs() const;
  /// Threads by outputs, that hang on the launch alone.
  Counts counted_by_shape() const;
  /// The figures of a snapshot.
  std::vector<CurveFigure> figures_of(const BinsSnapshot& snapshot) const;
  /// Of a track that spills. The cap is found before the track is shown, and stays.
  CurveFigure cap_figure() const;
  const Buffer<float>& finished_elements() const { return elements_of(front_); }
  unsigned floats_a_slot() const {
    return variant_.access->layout == BinLayout::padded_elements ? padded_width : application_.width;
  }
  /// Elements that fill whole sectors, at least.
  std::uint32_t slots_of_32_bytes() const { return application_.width % 4 ? 4 : 2; }
  /// Throws Error where the step that was run last has bodies beyond the finite numbers.
  void check_bodies(Queue& queue) const;
  /// Histogram to scatter, into one of the two states.
  void bin(Queue& queue, int state);
  void count_bins(Queue& queue, int state);
  /// Gather, spill and merge, as the bins are: into the output of the same state.
  void make_outputs(Queue& queue, int state);
  /// How many were spilled when the bins were filled last.
  std::uint64_t spilled_count(Queue& queue) const;
  /// Their values.
  std::vector<float> fetch(Queue& queue, int state);
  /// Into merged_. Fetches, scatters on the host, sends.
  void spill_now(Queue& queue, Pool& pool, const std::atomic<bool>* cancel, int state);
  /// Searches it where it is neither given nor found. Throws Cancelled.
  void find_cap(Queue& queue, int state);
  /// The cap of least time for these elements. Throws Cancelled.
  void search_cap(Queue& queue, int state);
  /// Adds those in reach of what was spilled to the hits.
  void audit_overflow(Queue& queue, double* sizes);
  /// The bins are those of the finished state.
  void rebin(Queue& queue);
  void audit(Queue& queue);
  void update_bytes();

  int front_ = 0;
  StatePair states_;  ///< holds what lies in pairs: step writes one, pictures read the other
  BinShape shapes_[2];
  Buffer<float> elements_[2], velocities_[2], output_[2];
  Buffer<float> accelerations_;  ///< that bodies move by: the reference's
  Buffer<std::uint32_t> lost_;   ///< 1: a body left the finite numbers in the last step
  Buffer<std::uint32_t> counts_[2], offsets_[2];
  Buffer<std::uint32_t> bins_, ranks_[2], deepest_;
  Buffer<float> values_;
  Buffer<std::int32_t> order_;
  std::uint32_t capacity_ = 0;
  std::uint64_t slot_count_ = 0;
  Scratch scratch_;
  // Of what is spilled.
  FoundCap found_;  ///< or given: then without times
  Buffer<std::int32_t> overflow_;
  Buffer<std::uint32_t> overflowed_;
  Buffer<float> fetched_, merged_;
  std::unique_ptr<Queue> spill_queue_;
  std::optional<DeviceEvent> scattered_;
  Buffer<std::uint32_t> hits_;
  Buffer<std::uint64_t> tests_;
  Buffer<AuditTotals> totals_;
  AuditTotals audited_{};
  double square_of_sizes_ = 0;                   ///< sum over outputs of (sum of its terms' magnitudes)^2, as audited
  bool stepped_ = false, back_stepped_ = false;  ///< outputs are there
  bool binned_ = false;                          ///< the bins are those of the finished state
  bool is_audited_ = false;                      ///< hits and tests are, too
  bool judged_ = false;                          ///< they were, once, since it was built
  std::optional<Counts> stated_;
  double budget_bytes_ = 0;
  std::optional<Conserved> at_start_;
  BinLooks looks_;
  std::atomic<bool> times_wanted_{false}, no_room_for_times_{false};
  std::chrono::steady_clock::time_point timed_{};
  std::chrono::steady_clock::duration timing_took_{};
  mutable std::mutex times_mutex_;
  std::shared_ptr<const BlockTimes> block_times_;  ///< under times_mutex_
  std::mutex look_mutex_;                          ///< who looks; the others go on with what there is
  mutable std::mutex snapshot_mutex_;
  std::shared_ptr<const BinsSnapshot> snapshot_;             ///< under snapshot_mutex_
  std::shared_ptr<const std::vector<CurveFigure>> figures_;  ///< of it, under snapshot_mutex_
  std::chrono::steady_clock::time_point looked_{};
  std::chrono::steady_clock::duration look_took_{};
  std::atomic<std::chrono::steady_clock::rep> look_due_{0};  ///< since the clock's epoch; 0: none waits
  std::atomic<std::uint64_t> late_looks_{0};
  std::vector<std::unique_ptr<Picture>> own_pictures_;
  std::atomic<const BinImage*> shown_image_{nullptr};
  std::atomic<std::uint64_t> images_made_{0};
  std::atomic<double> last_image_error_{-1};  ///< below 0: not known
  std::atomic<bool> image_wanted_{true};      ///< the first is made unasked
};

/// The maker of a track, by application: each in a source of its own.
using MakeBinsTrack = std::unique_ptr<BinsTrack> (*)(Queue& queue, std::shared_ptr<const BinProblem> problem,
                                                     const TrackInfo& info, const BinVariant& variant);
/// By its key. makers.cpp.in.
MakeBinsTrack bins_maker(const std::string& application);

}  // namespace warploom
