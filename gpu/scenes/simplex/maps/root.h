#pragma once
#include "gpu/scenes/simplex/maps/simplex_map.h"

namespace warploom {

/// A root as its kernel takes it, in words: how, its value, and the row or layer it gives.
struct RootStep {
  std::string how, value;
  std::uint32_t place = 0;
};
using ExplainRoot = RootStep (*)(std::uint64_t w);

/// w, then the roots, and the right value where they are wrong. `layer` is called in three dimensions only.
Formula explain_roots(const SimplexQuestion& question, ExplainRoot layer, ExplainRoot row);

/// A folded grid of t(n_b) or T(n_b) blocks and a few more; roots find block w. An exact `Root` has
/// `static void place<Dimensions>(std::uint64_t w, std::uint64_t end, Index3& block)`, w below end. A printed one has
/// `static bool row(std::uint64_t w, std::uint32_t& y)` and, in three dimensions, `layer`; false: no usable number; and
/// `first_wrong[2]`, the first wrong block in two and three dimensions by correctly rounded arithmetic of a CPU.
/// `static RootStep explain_row(std::uint64_t w)` and `explain_layer` put it in words.
template <class Root, int Dimensions>
struct RootPlacing : FoldedPlacing<Dimensions> {
  using RootOf = Root;
  static constexpr MapInfo info = Root::info;
  static constexpr bool costly = true;
  static constexpr bool compiles_all = Root::info.exact;

  using FoldedPlacing<Dimensions>::count, FoldedPlacing<Dimensions>::folded;
  RootPlacing(std::uint32_t blocks, const std::uint32_t*) : FoldedPlacing<Dimensions>(blocks) {}

  WARPLOOM_HD bool place(int, Index3 at, int, Index3& block) const {
    if (count < narrow_blocks) {  // the grid is little larger: 32 bits hold its numbers too
      const std::uint32_t w = (at.z * folded.y + at.y) * folded.x + at.x;
      return w < static_cast<std::uint32_t>(count) && answer(w, count, block);
    }
    const std::uint64_t w = linear_index(at, folded);
    return w < count && answer(w, count, block);
  }

  /// Where these roots send block w, right or wrong. False: nowhere.
  WARPLOOM_HD static bool answer(std::uint64_t w, Index3& block) { return answer(w, w + 1, block); }
  WARPLOOM_HD static bool answer(std::uint64_t w, [[maybe_unused]] std::uint64_t end, Index3& block) {
    if constexpr (info.exact) {
      Root::template place<Dimensions>(w, end, block);
      return true;
    } else {
      return printed(w, block);
    }
  }

  WARPLOOM_HD static bool printed(std::uint64_t w, Index3& block) {
    block = {};
    if constexpr (Dimensions == 3) {
      if (!Root::layer(w, block.z)) return false;
      const std::uint64_t before = tetrahedron_number(block.z);
      if (before > w) return false;
      w -= before;
    }
    if (!Root::row(w, block.y)) return false;
    const std::uint64_t before = triangle_number(block.y);
    if (before > w || w - before > 0xffffffffu) return false;
    block.x = static_cast<std::uint32_t>(w - before);
    return true;
  }

  static Formula explain(const SimplexQuestion& question) {
    if constexpr (Dimensions == 3)
      return explain_roots(question, Root::explain_layer, Root::explain_row);
    else
      return explain_roots(question, nullptr, Root::explain_row);
  }
};

}  // namespace warploom
