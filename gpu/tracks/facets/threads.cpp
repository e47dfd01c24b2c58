#include "gpu/tracks/facets/threads.h"

namespace warploom {

bool Threads::comes_to(Cell place, Index3 threads, Owner& who) const {
  if (owner(place, who)) return true;
  const Index3 block = served_box(threads);
  const Index3 at{place.x / block.x, place.y / block.y, place.z / block.z},
      in{place.x % block.x, place.y % block.y, place.z % block.z};
  const auto works_there = [&] {
    if (!launched(who)) return false;
    const auto found = target(who);
    return found && found->cell == place;
  };
  // Maps that launch a thread for every place of a box.
  who = {0, at, 0, {}};
  take_place(in, who);
  if (works_there()) return true;
  // Maps whose blocks lie elsewhere: who serves any cell of the place's own block comes with all of its threads.
  const Cell first{at.x * block.x, at.y * block.y, at.z * block.z};
  for (std::uint64_t i = 0; i < volume(block); ++i) {
    const Index3 beside = unfold(i, block);
    if (!owner({first.x + beside.x, first.y + beside.y, first.z + beside.z}, who)) continue;
    take_place(in, who);
    return works_there();
  }
  return false;
}

}  // namespace warploom
