#pragma once
#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/tracks/transform.h"
#include "gpu/scenes/butterfly/tuned/system_block.h"

namespace warploom {

/// Systems whose unknowns are no finite numbers by a tuned program: they are solved again by the general one, which
/// finds the stage and the row that divides by 0.
class FlaggedSystems {
 public:
  /// `variant`: of the tuned track.
  FlaggedSystems(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant);
  /// What a program raises.
  SystemFlags flags() const { return {flags_.data() + 1, flags_.data()}; }
  void clear(Queue& queue) { flags_.zero(queue); }
  /// Waits for what was launched. `out` and `singular` get what the general program makes of those that are flagged.
  void solve(Queue& queue, const SystemRow* in, float* out, std::uint64_t* singular);
  std::uint64_t bytes() const { return flags_.bytes() + found_.bytes(); }

 private:
  /// The general program for so many systems at once, with what it takes.
  struct General {
    std::uint64_t count = 0;
    std::unique_ptr<Transform> transform;
    Buffer<SystemRow> rows;
    Buffer<float> unknowns;
    Buffer<std::uint64_t> singular;
  };
  General& general_for(Queue& queue, std::uint64_t count);

  ButterflySettings settings_;
  std::string map_;
  SystemOrder order_;
  Buffer<std::uint64_t> flags_, found_;  ///< any, and which; how many, and which
  General general_[2];                   ///< of whole parts, and of the last; as they were needed last
};

}  // namespace warploom
