#pragma once
#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/tracks/transform.h"

namespace warploom {

/// Systems whose unknowns are no finite numbers by a tuned program: they are solved again by the general one, which
/// finds the stage and the row that divides by 0.
class FlaggedSystems {
 public:
  /// `variant`: of the tuned track.
  FlaggedSystems(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant);
  /// (batch): a program puts 1 where it flags a system.
  std::uint64_t* flags() const { return flags_.data(); }
  void clear(Queue& queue) { flags_.zero(queue); }
  /// Waits for what was launched. `out` and `singular` get what the general program makes of those that are flagged.
  void solve(Queue& queue, const SystemRow* in, float* out, std::uint64_t* singular) const;
  std::uint64_t bytes() const { return flags_.bytes() + found_.bytes(); }

 private:
  ButterflySettings settings_;
  std::string map_;
  SystemOrder order_;
  Buffer<std::uint64_t> flags_, found_;  ///< found_: how many, and which
};

}  // namespace warploom
