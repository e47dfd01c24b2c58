#pragma once
#include <type_traits>

#include "gpu/core/types.h"
#include "gpu/scenes/simplex/works/work.h"

namespace warploom {

/// The data block that the threads of a block serve, and where it lies in memory.
struct BlockEntry {
  Cell origin;
  Index3 carried;  ///< of persistent blocks: the map's own place, from turn to turn
  std::uint64_t address = 0;
  bool serves = false, whole = false;
};

/// The block's entry of a turn, the same in every thread. address(block) says where a block of the domain lies. False:
/// it serves none. Every turn must call it: a persistent block carries its place.
template <class Group, class Map, class Address>
WARPLOOM_HD bool enter_block(Group& group, const Map& map, int launch, int turn, BlockEntry& entry, Address&& address) {
  const auto alone = [&] {
    BlockEntry own = entry;
    Index3 block;
    own.serves = map.block_of_turn(launch, group.block(), turn, own.carried, block);
    own.origin = map.domain.first_cell(block);
    if (!own.serves) return own;
    // A wrong map's place may be anywhere, and wrap.
    own.whole = Map::info.exact && map.domain.whole(own.origin);
    own.address = address(map.domain.block_of(own.origin));
    return own;
  };
  // A root or a search is worth sharing; a few integer steps are not worth waiting for.
  if constexpr (requires { Map::Placing::costly; })
    entry = group.same(alone, turn > 0);
  else
    entry = alone();
  return entry.serves;
}

/// A simplex work under a map, as one kernel. `HeldMap`: the map, or a reference to one that is a kernel's parameter
/// already: a copy there could be memory of each thread.
template <class Map, class Work, class Storage, class HeldMap = Map>
struct SimplexProgram {
  static constexpr int dimensions = Map::dimensions;
  using At = typename Work::template At<dimensions, Storage>;
  using Layout = typename Storage::Layout;
  static constexpr bool counts_odd = Work::info.odd != nullptr;
  static constexpr bool per_block = Work::info.per_block;
  static constexpr bool by_blocks = SharesMemory<At, CpuGroup>;
  static constexpr bool folds = [] {
    if constexpr (counts_odd || by_blocks)
      return false;
    else
      return !std::is_void_v<std::invoke_result_t<const At&, const Spot&>>;
  }();

  static constexpr bool gangs = true;

  HeldMap map;
  At at;
  Layout layout;
  int launch = 0;
  SumSlots sum;                                       ///< of works that fold, and of odd cells
  typename Storage::Value* sums_of_blocks = nullptr;  ///< [data blocks], of works that sum a block

  template <class Group>
  using Shared = SharedBy<At, Group>;

  std::uint64_t work_of_a_thread() const { return map.items(); }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    typename Group::template PerThread<std::uint64_t> part;
    if constexpr (folds) group.each([&](const Thread& thread) { part[thread] = 0; });
    Entry entry;
    for (int turn = 0; map.more(launch, group.block(), turn); ++turn) {
      if (!enter(group, turn, entry)) continue;
      if constexpr (by_blocks)
        at.block(group, shared, entry.origin,
                 [&](const Thread& thread, Spot& spot) { return find(entry, thread, spot); });
      else if constexpr (per_block)
        sum_block(group, entry, turn > 0);
      else if constexpr (counts_odd)
        write_and_count(group, entry);
      else if constexpr (folds)
        group.each([&](const Thread& thread) {
          Spot spot;
          if (map.items() == 1) {
            if (find(entry, thread, spot)) part[thread] += at(spot);
            return;
          }
          // The map alone, of threads that serve several cells.
          for (std::uint32_t item = 0; item < map.items(); ++item)
            if (map.thread(entry.origin, thread.at, item, spot.cell)) part[thread] += at(spot);
        });
      else
        group.each([&](const Thread& thread) {
          Spot spot;
          if (find(entry, thread, spot)) at(spot);
        });
    }
    if constexpr (folds)
      group.each_warp_sum(part,
                          [&](unsigned warp, std::uint64_t total) { sum.add(group.block_number() * 8 + warp, total); });
  }

 private:
  using Entry = BlockEntry;
  template <class Group>
  WARPLOOM_HD bool enter(Group& group, int turn, Entry& entry) const {
    return enter_block(group, map, launch, turn, entry,
                       [&](Index3 block) { return folds ? std::uint64_t{0} : enter_memory(block); });
  }

  WARPLOOM_HD std::uint64_t enter_memory(Index3 block) const {
    return per_block ? map.domain.index(block) : layout.enter(block);
  }

  WARPLOOM_HD bool find(const Entry& entry, const Thread& thread, Spot& spot) const {
    spot.cell = {entry.origin.x + thread.at.x, entry.origin.y + thread.at.y, entry.origin.z + thread.at.z};
    if (!entry.whole && !map.thread(entry.origin, thread.at, spot.cell)) return false;
    if constexpr (!folds && !per_block) spot.address = layout.within(entry.address, spot.cell, thread.index);
    return true;
  }

  template <class Group>
  WARPLOOM_HD void write_and_count(Group& group, const Entry& entry) const {
    typename Group::template PerThread<bool> odd;
    group.each([&](const Thread& thread) {
      Spot spot;
      bool own = false;
      if (find(entry, thread, spot)) at(spot, own);
      odd[thread] = own;
    });
    count(group, odd);
  }

  template <class Group>
  WARPLOOM_HD void sum_block(Group& group, const Entry& entry, bool again) const {
    using Value = typename Storage::Value;
    typename Group::template PerThread<bool> odd;
    typename Group::template PerThread<Value> part;
    group.each([&](const Thread& thread) {
      Spot spot;
      bool own = false;
      part[thread] = find(entry, thread, spot) ? at(spot, own) : Value{};
      odd[thread] = own;
    });
    count(group, odd);
    group.sum_once(
        part, [&](Value total) { sums_of_blocks[entry.address] = total; }, again);
  }

  template <class Group, class Flags>
  WARPLOOM_HD void count(Group& group, Flags& odd) const {
    group.each_warp_count(odd, [&](unsigned, unsigned set) {
      if (set) sum.add(group.block_number(), set);
    });
  }
};

}  // namespace warploom
