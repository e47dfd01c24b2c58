#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "gpu/butterfly/report.h"
#include "gpu/butterfly/rules/systems.h"
#include "gpu/butterfly/twiddles.h"
#include "gpu/core/launch.h"
#include "gpu/tracks/butterfly/butterfly.h"

namespace warploom {

/// How a track runs an algorithm.
struct ButterflyWay {
  std::string variant;
  Exchange exchange = Exchange::shared;
  WordLayout layout = WordLayout::plain;
  bool interleaved = false;
  NetworkMapping mapping{};
};

/// What an instrumented kernel tells.
struct TransformTrace {
  std::vector<std::uint8_t> steps;  ///< (stages + 1, problems, elements) of step_shape
  int stages = 0;
  std::uint64_t elements = 0;
  std::vector<SharedAccess> accesses;  ///< of block 0, as the kernel made them
};

/// A transform of rows on a backend: an algorithm in one of its variants. The thread that steps.
class Transform {
 public:
  virtual ~Transform() = default;
  /// Launches what makes `out` of `in`, timed under the name of the algorithm. `singular` (batch): no_zero_pivot
  /// before; of systems alone.
  virtual void run(Queue& queue, const void* in, void* out, std::uint64_t* singular) = 0;
  /// Of the launch that does the most.
  virtual LaunchShape shape() const = 0;
  virtual NetworkReport report() const = 0;
  /// Of one problem, once a stage.
  virtual std::vector<NetworkEdge> edges() const = 0;
  /// The accesses of block 0, by the definition.
  virtual std::vector<SharedAccess> accesses() const { return {}; }
  /// Thread, register and byte, or -1, of each element of block 0 after each stage: (stages + 1, 2^s, 3).
  virtual std::vector<std::int32_t> locations() const { return {}; }
  /// By the same code, instrumented: of the first `rows` at `in` the stages of the first `problems`.
  virtual TransformTrace trace(Queue& queue, const void* in, std::uint64_t rows, std::uint64_t problems,
                               std::uint64_t* singular) = 0;
  /// What a step of a trace holds of an element.
  virtual RowShape step_shape() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

std::unique_ptr<Transform> make_fft_transform(Queue& queue, const ButterflySettings& settings, const ButterflyWay& way);
std::unique_ptr<Transform> make_scan_transform(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyWay& way);
std::unique_ptr<Transform> make_system_transform(Queue& queue, const ButterflySettings& settings,
                                                 const ButterflyWay& way);
std::unique_ptr<Transform> make_sort_transform(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyWay& way);

/// Bytes that a step must move at least: its input, and its output.
std::uint64_t moved_bytes(const ButterflySettings& settings);
/// Blocks of 2^s elements; of a longer problem so many of its own.
std::uint64_t blocks_of(const NetworkMapping& mapping, std::uint64_t batch);

/// The kernel's name in timings: that of the algorithm.
const char* kernel_of(const std::string& algorithm);

}  // namespace warploom
