#pragma once
#include <memory>
#include <optional>
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
  /// Of the launch that does the most, by the device; nothing on the CPU, and of libraries.
  virtual std::optional<KernelResources> resources(const Queue&) const { return std::nullopt; }
  /// Of one problem, once a stage.
  virtual std::vector<NetworkEdge> edges() const = 0;
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
  virtual TransformTrace trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t* singular) = 0;
  /// What a step of a trace holds of an element.
  virtual RowShape step_shape() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

std::unique_ptr<Transform> make_fft_transform(Queue& queue, const ButterflySettings& settings,
                                              const ButterflyVariant& variant);
std::unique_ptr<Transform> make_scan_transform(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyVariant& variant);
std::unique_ptr<Transform> make_system_transform(Queue& queue, const ButterflySettings& settings,
                                                 const ButterflyVariant& variant);
std::unique_ptr<Transform> make_sort_transform(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyVariant& variant);

/// A thread for the values of a problem that it has in registers, a row of threads per problem.
inline LaunchShape block_shape(const NetworkMapping& mapping, std::uint64_t batch) {
  return {{static_cast<std::uint32_t>(mapping.blocks(batch)), 1, 1},
          {1u << mapping.threads_x(), 1u << mapping.threads_y(), 1}};
}

/// What an instrumented kernel writes its accesses to; where they are not wanted, nothing.
class AccessTrace {
 public:
  AccessTrace(Queue& queue, const AccessNumbers& numbers, int stages, std::uint32_t threads, bool wanted)
      : of_stage_(numbers.writes + numbers.reads),
        writes_(numbers.writes),
        threads_(threads),
        instructions_(static_cast<std::uint64_t>(stages) * of_stage_) {
    if (!wanted || instructions_ == 0) return;
    told_ = Buffer<std::int32_t>(queue.backend(), instructions_ * threads * 2);
    fill_with_ones(queue, told_.data(), told_.bytes());
  }
  std::int32_t* data() const { return told_.data(); }
  std::vector<SharedAccess> read(Queue& queue) const {
    std::vector<SharedAccess> all;
    if (told_.size() == 0) return all;
    const auto seen = told_.download(queue);
    for (std::uint64_t i = 0; i < instructions_; ++i)
      for (std::uint32_t t = 0; t < threads_; ++t)
        if (const std::int32_t* row = &seen[(i * threads_ + t) * 2]; row[0] >= 0)
          all.push_back({static_cast<int>(i / of_stage_) + 1, i % of_stage_ >= writes_, static_cast<std::uint32_t>(i),
                         t, static_cast<std::uint32_t>(row[0]), static_cast<std::uint32_t>(row[1])});
    return all;
  }

 private:
  std::uint64_t of_stage_, writes_;
  std::uint32_t threads_;
  std::uint64_t instructions_;
  Buffer<std::int32_t> told_;
};

/// Bytes that a step must move at least: its input, and its output.
std::uint64_t moved_bytes(const ButterflySettings& settings);
/// Blocks of 2^s elements; of a longer problem so many of its own.
std::uint64_t blocks_of(const NetworkMapping& mapping, std::uint64_t batch);

/// The kernel's name in timings: that of the algorithm.
const char* kernel_of(const std::string& algorithm);

}  // namespace warploom
