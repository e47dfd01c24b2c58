#pragma once
#include "gpu/core/solo_group.h"
#include "gpu/core/types.h"

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
    if constexpr (requires { map.carry(launch, group.block(), turn, own.carried, own.origin); }) {
      own.serves = map.carry(launch, group.block(), turn, own.carried, own.origin);
    } else {
      SoloGroup solo;
      own.serves = map.block(solo, launch, group.block(), turn, own.origin);
    }
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

}  // namespace warploom
