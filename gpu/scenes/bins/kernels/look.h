#pragma once
#include "gpu/core/group.h"
#include "gpu/scenes/bins/access/list.h"
#include "gpu/scenes/bins/kernels/application.h"
#include "gpu/scenes/bins/kernels/audit.h"
#include "gpu/scenes/bins/kernels/gather.h"
#include "gpu/scenes/bins/kernels/stages.h"

// What is told of a place that is looked at: counted over all that may have to do with it.
namespace warploom {

/// A bin, an element, or an output of a lattice; an element's number is in x.
struct LookedAt {
  enum class Kind { bin, element, output } kind = Kind::bin;
  Index3 at;
  friend bool operator==(const LookedAt&, const LookedAt&) = default;
};

struct LookFound {
  float values[8] = {};  ///< of an element, or an output
  /// Of an element: its own, or one of those.
  std::uint64_t slot = unknown;
  static constexpr std::uint64_t unknown = ~0ull, spilled = unknown - 1;
  float square_reach = 0;   ///< of an element
  std::uint64_t count = 0;  ///< see CountLook
  std::uint64_t tested = 0;
};

/// Of a bin: the blocks, or of bodies the threads, that look at it; of an element: the outputs that it reaches, itself
/// included where it is one; of an output: the elements in reach of it, and those that an access which culls tests
/// against it. Counted by brute force, apart from what steps.
template <class Application>
struct CountLook {
  static constexpr std::uint64_t threads_per_chunk = 4096;
  static constexpr bool periodic = Application::info.periodic;
  Application application;
  BinGrid grid;
  OutputTiles outputs;
  Elements elements;
  float cutoff, margin;
  int access;  ///< in BinAccesses
  LookedAt looked;
  // What is asked, one item each; begin() fills them in.
  Index3 blocks{1, 1, 1};  ///< of the gather
  Index3 box{1, 1, 1};     ///< outputs about an element

  /// Returns how many items.
  std::uint64_t begin() {
    if constexpr (periodic) {
      return elements.count;
    } else {
      blocks = outputs.shape().blocks;
      const Index3 points = outputs.lattice.points;
      const double side = 2 * std::ceil(static_cast<double>(cutoff / outputs.lattice.spacing)) + 5;
      const auto along = [&](std::uint32_t all) { return side < all ? static_cast<std::uint32_t>(side) : all; };
      box = {along(points.x), along(points.y), along(points.z)};
      return looked.kind == LookedAt::Kind::bin       ? volume(blocks)
             : looked.kind == LookedAt::Kind::element ? volume(box)
                                                      : elements.count;
    }
  }

  /// In reach, and tested.
  WARPLOOM_HD void operator()(std::uint64_t i, std::uint64_t* own) const {
    own[0] = has_to_do(i);
    own[1] = is_tested(i);
  }

 private:
  WARPLOOM_HD bool has_to_do(std::uint64_t i) const {
    if (looked.kind == LookedAt::Kind::bin) return looks_at_bin(i);
    const float* element = elements.values + std::uint64_t{looked.at.x} * elements.width;
    if constexpr (periodic) {
      const Offset to = nearest_offset(grid, elements.values + i * elements.width, element);
      return to.square < application.square_reach(element);
    } else {
      if (looked.kind == LookedAt::Kind::output) return reaches(elements.values + i * elements.width, looked.at);
      const Lattice& lattice = outputs.lattice;
      const Index3 in_box = unfold(i, box);
      std::uint32_t at[3];
      for (int a = 0; a < 3; ++a) {
        const std::uint32_t points = coordinate(lattice.points, a), side = coordinate(box, a);
        const float first = side < points ? floorf((element[a] - cutoff - lattice.origin[a]) / lattice.spacing) - 2 : 0,
                    here = first + static_cast<float>(coordinate(in_box, a));
        if (!(here >= 0 && here < static_cast<float>(points))) return false;
        at[a] = static_cast<std::uint32_t>(here);
      }
      return reaches(element, {at[0], at[1], at[2]});
    }
  }

  WARPLOOM_HD bool is_tested(std::uint64_t i) const {
    bool tested = false;
    if constexpr (!periodic) {
      if (looked.kind != LookedAt::Kind::output) return false;
      with_access(access, BinAccesses{}, [&]<class Access>() {
        if constexpr (Access::info.culls) {
          std::uint32_t inside = 0;
          const Reach own = outputs.reach_of_warp(outputs.block_of(looked.at), outputs.warp_of(looked.at), &inside);
          tested = may_reach(application, elements.values + i * elements.width, own);
        }
      });
    }
    return tested;
  }

  WARPLOOM_HD bool reaches(const float* element, Index3 output) const {
    const Lattice& lattice = outputs.lattice;
    return square_sum(element[0] - lattice.at(0, output.x), element[1] - lattice.at(1, output.y),
                      element[2] - lattice.at(2, output.z)) < application.square_reach(element);
  }

  WARPLOOM_HD bool looks_at_bin(std::uint64_t i) const {
    Reach reach;
    if constexpr (periodic) {
      reach = reach_at(elements.values + i * elements.width, margin);
    } else {
      reach = outputs.reach(unfold(i, blocks), margin);
    }
    const std::uint64_t bin = grid.number(looked.at);
    bool found = false;
    with_access(access, BinAccesses{}, [&]<class Access>() {
      each_row_of<Access>(grid, reach, [&](const BinRow& row) { found |= row.first <= bin && bin <= row.last; });
    });
    return found;
  }
};

/// What tells the slot of an element, all of one state.
struct SlotOfElement {
  const std::uint32_t* ranks = nullptr;  ///< null: not known
  BinSlots slots;
  bool regular = false;
  std::uint32_t cap = ~0u;

  WARPLOOM_HD std::uint64_t of(std::uint64_t element, const Float3& place) const {
    if (!ranks) return LookFound::unknown;
    const std::uint32_t rank = ranks[element];
    if (rank >= cap) return LookFound::spilled;
    const std::uint64_t bin = slots.grid.number(slots.grid.bin_of(place));
    return rank + (regular ? bin * slots.capacity : std::uint64_t{slots.offsets[bin]});
  }
};

/// Launched with one thread, after the count.
template <class Application>
struct TellLook {
  Application application;
  Elements elements;
  LookedAt looked;
  SlotOfElement slots;
  const std::uint64_t* count;
  Index3 points;        ///< of a lattice
  const float* output;  ///< (points, components)
  LookFound* to;

  WARPLOOM_HD void operator()(std::uint64_t) const {
    LookFound found;
    if (looked.kind == LookedAt::Kind::element) {
      const float* element = elements.values + std::uint64_t{looked.at.x} * elements.width;
      for (unsigned f = 0; f < Application::info.width; ++f) found.values[f] = element[f];
      found.square_reach = application.square_reach(element);
      found.slot = slots.of(looked.at.x, elements.place(looked.at.x));
    }
    if (looked.kind == LookedAt::Kind::output)
      for (unsigned c = 0; c < Application::info.components; ++c)
        found.values[c] = output[linear_index(looked.at, points) * Application::info.components + c];
    found.count = count[0];
    found.tested = count[1];
    *to = found;
  }
};

}  // namespace warploom
