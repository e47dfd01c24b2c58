#pragma once
#include "gpu/core/atomic.h"
#include "gpu/core/group.h"
#include "gpu/core/hash.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/bins/kernels/slots.h"

// The stages of binning before the gather: most are what is done to an element, or to a bin (launch_items).
namespace warploom {

/// An element of four floats, moved by one instruction. Elements begin on 16 bytes where they are so wide.
struct alignas(16) FourFloats {
  float at[4];
};

/// Elements in input order.
struct Elements {
  const float* values = nullptr;
  unsigned width = 4;
  std::uint64_t count = 0;
  WARPLOOM_HD Float3 place(std::uint64_t i) const {
    if (width == 4) {
      const FourFloats all = reinterpret_cast<const FourFloats*>(values)[i];
      return {{all.at[0], all.at[1], all.at[2]}};
    }
    const float* at = values + i * width;
    return {{at[0], at[1], at[2]}};
  }
};

/// The program of a row of items: adds to `sums`, a few numbers, what item(i, numbers) makes of each.
template <unsigned count, class Value, class Item>
struct SumItems {
  Item item;
  std::uint64_t items;
  Value* sums;
  static constexpr std::uint64_t threads_per_chunk = detail::fixed_threads_per_chunk<Item>();

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<Value> parts[count];
    const std::uint64_t first = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      Value own[count] = {};
      if (first + thread.index < items) item(first + thread.index, own);
      for (unsigned k = 0; k < count; ++k) parts[k][thread] = own[k];
    });
    for (unsigned k = 0; k < count; ++k)
      group.sum_once(parts[k], [&](Value sum) {
        if (sum != 0) atomic_add(sums + k, sum);
      });
  }
};
template <unsigned count, class Value, class Item>
void launch_sums(const char* kernel, Queue& queue, std::uint64_t items, Value* sums, const Item& item) {
  launch(kernel, queue, row_shape(items), SumItems<count, Value, Item>{item, items, sums});
}

/// Each element's bin, how many a bin has, and the rank of an element in its bin: the atomic add returns it, so that
/// scattering needs no atomics.
struct HistogramStage {
  Elements elements;
  BinGrid grid;
  std::uint32_t *bins, *ranks, *counts;  ///< counts are zero before
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const auto bin = static_cast<std::uint32_t>(grid.number(grid.bin_of(elements.place(i))));
    bins[i] = bin;
    ranks[i] = atomic_fetch_add(counts + bin, 1);
  }
};

/// Ranks by input order, from the stable order of the elements by their bins.
struct RankStage {
  const std::uint32_t *order, *bins, *first_of_bin;
  std::uint32_t* ranks;
  WARPLOOM_HD void operator()(std::uint64_t at) const {
    const std::uint32_t i = order[at];
    ranks[i] = static_cast<std::uint32_t>(at) - first_of_bin[bins[i]];
  }
};

/// The deepest bin.
struct DeepestStage {
  const std::uint32_t* counts;
  std::uint32_t* deepest;  ///< 0 before
  WARPLOOM_HD void operator()(std::uint64_t i) const { rare_atomic_maximum(deepest, counts[i]); }
};

/// Every element to its slot: of its bin's first slot on, by its rank.
struct ScatterStage {
  Elements elements;
  const std::uint32_t *bins, *ranks;
  const std::uint32_t* offsets;  ///< null: regular
  std::uint32_t capacity;        ///< of regular bins
  float* values;
  std::int32_t* order;
  std::uint32_t cap = ~0u;              ///< ranks from it on are spilled
  std::int32_t* overflow = nullptr;     ///< which elements those are, in any order
  std::uint32_t* overflowed = nullptr;  ///< how many: 0 before
  BinLayout layout = BinLayout::records;
  std::uint64_t slots = 0;  ///< how many there are
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    if (ranks[i] >= cap) {
      overflow[atomic_fetch_add(overflowed, 1)] = static_cast<std::int32_t>(i);
      return;
    }
    const std::uint64_t bin = bins[i], slot = (offsets ? offsets[bin] : bin * capacity) + ranks[i];
    const float* from = elements.values + i * elements.width;
    if (layout == BinLayout::records && elements.width == 4)
      reinterpret_cast<FourFloats*>(values)[slot] = reinterpret_cast<const FourFloats*>(elements.values)[i];
    else
      for (unsigned f = 0; f < elements.width; ++f)
        values[float_of_slot(layout, elements.width, slots, slot, f)] = from[f];
    order[slot] = static_cast<std::int32_t>(i);
  }
};

/// The elements of a list, one after another.
struct FetchStage {
  Elements elements;
  const std::int32_t* list;
  float* to;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const float* from = elements.values + static_cast<std::uint64_t>(list[i]) * elements.width;
    for (unsigned f = 0; f < elements.width; ++f) to[i * elements.width + f] = from[f];
  }
};

/// What was spilled, added to what was gathered.
struct MergeStage {
  const float* spilled;
  float* out;
  WARPLOOM_HD void operator()(std::uint64_t i) const { out[i] += spilled[i]; }
};

/// The sum over elements e of key_hash(0, e + 2^32 bin), bin: in whose slots it stands. It proves each element once, in
/// its bin, whatever order a race gave them.
struct SealBins {
  const std::uint32_t* offsets;  ///< null: regular
  std::uint32_t capacity;
  const std::int32_t* order;
  /// Hash, and elements seen.
  WARPLOOM_HD void operator()(std::uint64_t bin, std::uint64_t* own) const {
    const std::uint64_t first = offsets ? offsets[bin] : bin * capacity,
                        last = offsets ? offsets[bin + 1] : (bin + 1) * capacity;
    // Padding comes last in a bin; an element behind it is never found, and breaks the seal.
    for (std::uint64_t slot = first; slot < last && order[slot] >= 0; ++slot) {
      own[0] += key_hash(0, static_cast<std::uint64_t>(order[slot]) + (bin << 32));
      ++own[1];
    }
  }
};

/// ... of elements that stand in no bin's slots: by their coordinates.
struct SealElements {
  Elements elements;
  BinGrid grid;
  const std::int32_t* list;  ///< null: all of them
  WARPLOOM_HD void operator()(std::uint64_t at, std::uint64_t* hash) const {
    const std::uint64_t i = list ? static_cast<std::uint64_t>(list[at]) : at;
    *hash = key_hash(0, i + (grid.number(grid.bin_of(elements.place(i))) << 32));
  }
};

}  // namespace warploom
