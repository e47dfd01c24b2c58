#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/scenes/irregular/tracks/tree.h"
#include "tests/backends.h"

// Trees for tests: a scene's settings, and a track of them.
namespace warploom {

const IrregularSystem& tree_system();

inline IrregularSettings tree_settings(const std::string& points, std::int64_t count, int dimension = 2, int leaf = 1,
                                       int every = 1) {
  IrregularSettings settings;
  settings.system = "tree";
  settings.points = points;
  settings.count = count;
  settings.dimension = dimension;
  settings.leaf = leaf;
  settings.compact_every = every;
  return settings;
}

/// A track that has done input 0.
inline std::unique_ptr<Track> make_tree(Queue& queue, const IrregularSettings& settings, const std::string& name) {
  const IrregularSystem& system = tree_system();
  auto track = system.make(queue, system.problem(settings), settings, find_irregular_track(system, name));
  track->need<IrregularFacet>().start(queue);
  queue.wait();
  track->publish(queue);
  return track;
}

inline const std::vector<std::string> tree_tracks{"levels/scan", "levels/atomic", "radix"};

template <class Value>
std::vector<Value> dumped_tree(Track& track, Queue& queue, const std::string& name) {
  for (const DumpArray& array : track.dumps(queue))
    if (array.name == name) {
      std::vector<Value> values(array.bytes.size() / sizeof(Value));
      std::copy(array.bytes.begin(), array.bytes.end(), reinterpret_cast<std::uint8_t*>(values.data()));
      return values;
    }
  return {};
}

}  // namespace warploom
