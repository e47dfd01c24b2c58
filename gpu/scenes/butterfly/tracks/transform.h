#pragma once
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"
#include "gpu/core/resources_of.h"
#include "gpu/scenes/butterfly/butterfly.h"
#include "gpu/scenes/butterfly/kernels/report.h"
#include "gpu/scenes/butterfly/kernels/twiddles.h"
#include "gpu/scenes/butterfly/rules/systems.h"

namespace warploom {

/// How a track runs an algorithm.
struct ButterflyVariant {
  std::string variant;
  Exchange exchange = Exchange::shared;
  WordLayout layout = WordLayout::plain;
  bool interleaved = false;
  bool looks_back = false;  ///< of scans: rows that are longer than a block go in one launch
  NetworkMapping mapping{};
  int devices = 1;       ///< that share the work
  int first_digits = 0;  ///< as of FftNetwork
};

/// How a track of these settings runs.
ButterflyVariant butterfly_variant(const ButterflySettings& settings, const TrackInfo& track);

/// Bytes that a step must move at least: its input, and its output.
std::uint64_t moved_bytes(const ButterflySettings& settings);
/// The kernel's name in timings: that of the algorithm.
const char* kernel_of(const std::string& algorithm);

/// What an instrumented kernel tells.
struct TransformTrace {
  std::vector<std::uint8_t> steps;  ///< (stages + 1, problems, elements) of step_shape
  int stages = 0;
  std::uint64_t elements = 0;
  std::vector<SharedAccess> accesses;  ///< of block 0, as the kernel made them
};

/// A transform of rows on a backend: an algorithm in one of its variants. The thread that steps. What is left as it is
/// here is not known of a transform.
class Transform {
 public:
  explicit Transform(const ButterflySettings& settings)
      : settings_(settings),
        kernel_(kernel_of(settings.algorithm)),
        batch_(settings.batch),
        bytes_moved_(moved_bytes(settings)) {}
  virtual ~Transform() = default;
  /// Launches what makes `out` of `in`, timed under the name of the algorithm. `singular` (batch): no_zero_pivot
  /// before; of systems alone.
  virtual void run(Queue& queue, const void* in, void* out, std::uint64_t* singular) = 0;
  /// Of the launch that does the most.
  virtual LaunchShape shape() const = 0;
  virtual NetworkReport report() const = 0;
  /// Of the launch that does the most, by the device; nothing on the CPU, and of libraries.
  virtual std::optional<KernelResources> resources(const Queue&) const { return std::nullopt; }
  /// Of one problem, once a stage.
  virtual std::vector<NetworkEdge> edges() const { return {}; }
  /// The accesses of block 0, by the definition.
  virtual std::vector<SharedAccess> accesses() const { return {}; }
  /// Thread, register and byte, or -1, of each element of block 0 after each stage: (stages + 1, 2^s, 3).
  virtual std::vector<std::int32_t> locations() const { return {}; }
  /// What is to be told: of the first `rows` at `in` the stages of the first `problems`, and every access of block 0.
  struct Wanted {
    std::uint64_t rows = 1, problems = 1;
    bool accesses = false;
  };
  /// By the same code, instrumented.
  virtual TransformTrace trace(Queue& /*queue*/, const void* /*in*/, const Wanted& /*wanted*/,
                               std::uint64_t* /*singular*/) {
    return {};
  }
  /// What a step of a trace holds of an element: as it came, or, of Fourier transforms, complex.
  virtual RowShape step_shape() const;
  /// That it takes on the backend.
  virtual std::uint64_t bytes() const { return 0; }

 protected:
  ButterflySettings settings_;
  const char* kernel_;
  std::uint64_t batch_, bytes_moved_;
};

/// Of any algorithm and variant, vendors' too.
std::unique_ptr<Transform> make_transform(Queue& queue, const ButterflySettings& settings,
                                          const ButterflyVariant& variant);
std::unique_ptr<Transform> make_scan_transform(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyVariant& variant);
std::unique_ptr<Transform> make_sort_transform(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyVariant& variant);

// Each of these is instantiated in sources of its own, which CMake makes of the lists: together they compile for
// minutes.

/// Of a network of ScanNetworks and one of ScanOperators: along rows. `carries` (batch), on the backend: what comes
/// before each row, but for the first output of an exclusive scan; null: nothing; not of tuned and serial ones.
template <class Network, class Operator>
std::unique_ptr<Transform> scan_by_network(Queue& queue, const ButterflySettings& settings,
                                           const ButterflyVariant& variant, const Operator& op,
                                           const typename Operator::Value* carries);

/// ... by programs whose digits were placed when they were compiled, of a network that has them.
template <class Network, class Operator>
std::unique_ptr<Transform> tuned_scan_by_network(Queue& queue, const ButterflySettings& settings,
                                                 const ButterflyVariant& variant, const Operator& op);

// The types of both, as their sources name them.
template <class Network, class Operator>
using ScanMaker = std::unique_ptr<Transform>(Queue&, const ButterflySettings&, const ButterflyVariant&, const Operator&,
                                             const typename Operator::Value*);
template <class Network, class Operator>
using TunedScanMaker = std::unique_ptr<Transform>(Queue&, const ButterflySettings&, const ButterflyVariant&,
                                                  const Operator&);

/// Of a network of TridiagonalNetworks.
template <class Network>
std::unique_ptr<Transform> solve_by_network(Queue& queue, const ButterflySettings& settings,
                                            const ButterflyVariant& variant);

/// By plans that the compiler has placed, one of TunedFfts, of the lengths of a part; null: it is another part's.
constexpr int tuned_parts = 3, tuned_lengths = 4;
template <class Plans, int part>
std::unique_ptr<Transform> tuned_fft_part(Queue& queue, const ButterflySettings& settings,
                                          const ButterflyVariant& variant);

/// Of Fourier transforms whose threads have 2^p values, p from 0 to 4: that of fft_plan(settings, variant).
template <int p>
std::unique_ptr<Transform> fft_by_items(Queue& queue, const ButterflySettings& settings,
                                        const ButterflyVariant& variant);

/// Throws UsageError where blocks of a tuned program take more shared memory than the device has.
void check_shared_memory(const Queue& queue, const ButterflyVariant& variant, std::uint64_t bytes);

/// A row of blocks of 2^log_threads threads.
inline LaunchShape tiles_shape(std::uint64_t tiles, int log_threads) {
  return {{static_cast<std::uint32_t>(tiles), 1, 1}, {1u << log_threads, 1, 1}};
}
/// A thread for the values of a problem that it has in registers, a row of threads per problem.
inline LaunchShape block_shape(const NetworkMapping& mapping, std::uint64_t batch) {
  return {{static_cast<std::uint32_t>(mapping.blocks(batch)), 1, 1},
          {1u << mapping.threads_x(), 1u << mapping.threads_y(), 1}};
}

/// body(std::bool_constant<flag>): of two kernels one.
template <class Body>
void by_flag(bool flag, Body&& body) {
  if (flag)
    body(std::true_type{});
  else
    body(std::false_type{});
}

/// What an instrumented kernel writes to: the stages of the first problems, and, where they are wanted, the accesses of
/// block 0.
template <class Step>
class TracedStages {
 public:
  /// `numbers`: how accesses are numbered; `threads`: of a block; `more_exchanges`: behind the last stage.
  template <class Network>
  TracedStages(Queue& queue, const Network& network, std::uint64_t problems, const AccessNumbers& numbers = {},
               std::uint32_t threads = 0, bool accesses = false, int more_exchanges = 0)
      : stages_(network.stages()),
        exchanges_(stages_ + more_exchanges),
        elements_(1u << network.n),
        problems_(problems),
        numbers_(numbers),
        threads_(threads),
        steps_(queue.backend(), static_cast<std::uint64_t>(stages_ + 1) * problems * elements_) {
    if (!accesses || instructions() == 0) return;
    accesses_ = Buffer<std::int32_t>(queue.backend(), instructions() * threads * 2);
    fill_with_ones(queue, accesses_.data(), accesses_.bytes());
  }
  StageTrace<Step> view() const { return {steps_.data(), problems_, elements_, accesses_.data(), threads_}; }
  TransformTrace read(Queue& queue) const {
    TransformTrace told{array_bytes(steps_.download(queue)), stages_, elements_, {}};
    if (accesses_.size() == 0) return told;
    const auto seen = accesses_.download(queue);
    const std::uint64_t of_stage = numbers_.writes + numbers_.reads;
    for (std::uint64_t i = 0; i < instructions(); ++i)
      for (std::uint32_t t = 0; t < threads_; ++t)
        if (const std::int32_t* row = &seen[(i * threads_ + t) * 2]; row[0] >= 0)
          told.accesses.push_back({static_cast<int>(i / of_stage) + 1, i % of_stage >= numbers_.writes,
                                   static_cast<std::uint32_t>(i), t, static_cast<std::uint32_t>(row[0]),
                                   static_cast<std::uint32_t>(row[1])});
    return told;
  }

 private:
  std::uint64_t instructions() const {
    return static_cast<std::uint64_t>(exchanges_) * (numbers_.writes + numbers_.reads);
  }
  int stages_, exchanges_;  ///< exchanges_: before each stage, and behind the last
  std::uint32_t elements_;
  std::uint64_t problems_;
  AccessNumbers numbers_;
  std::uint32_t threads_;
  Buffer<Step> steps_;
  Buffer<std::int32_t> accesses_;
};

/// Blocks of 2^s elements; of a longer problem so many of its own.
std::uint64_t blocks_of(const NetworkMapping& mapping, std::uint64_t batch);
/// What a network says of itself, however it is run.
template <class Network>
NetworkReport begun_report(const Network& network, const NetworkMapping& mapping, std::uint64_t blocks) {
  NetworkReport report;
  report.elements = std::uint64_t{1} << network.n;
  report.operators = network.nodes();
  report.stages = network.stages();
  report.mapping = mapping;
  report.blocks = blocks;
  return report;
}

}  // namespace warploom
