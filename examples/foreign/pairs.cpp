// Distances of all pairs of points on a line, under a map of the user's choice: pairs MAP SIDE BLOCK [cpu|cuda].
// The same source is a kernel where a CUDA compiler reads it, and runs on a thread pool where not.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "gpu/core/atomic.h"
#include "gpu/core/buffer.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/simplex/maps/list.h"

using namespace warploom;

namespace {

/// The pair (x, y) of the triangle 0 <= x <= y < n: its distance, at its place in a row of t(n) words.
template <class Map>
struct Pairs {
  Map map;
  int launch;
  const std::uint32_t* at;
  std::uint64_t* distances;
  std::uint64_t* useful;  ///< threads that had a pair

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    for (int turn = 0; map.more(launch, group.block(), turn); ++turn) {
      Cell origin;
      if (!map.block(group, launch, group.block(), turn, origin)) continue;
      group.each([&](const Thread& thread) {
        Cell pair;
        if (!map.thread(origin, thread.at, pair)) return;
        const std::uint64_t distance = at[pair.y] > at[pair.x] ? at[pair.y] - at[pair.x] : at[pair.x] - at[pair.y];
        // Added, not stored: a pair that two threads serve is seen.
        atomic_add(distances + map.domain.index(pair), distance + 1);
        atomic_add(useful, 1);
      });
    }
  }
};

/// Runs the map, compares with two plain loops, prints what was wasted. True: every pair is right.
template <class Map>
bool run(Queue& queue, const SimplexDomain<2>& domain) {
  std::vector<std::uint32_t> line(domain.n);
  std::uint32_t state = 1;
  for (auto& place : line) place = (state = state * 1664525u + 1013904223u) >> 8;
  const MapTable table = Map::table(domain);
  Buffer<std::uint32_t> device_table(queue.backend(), table.size()), at(queue.backend(), line.size());
  Buffer<std::uint64_t> distances(queue.backend(), domain.cells()), useful(queue.backend(), 1);
  device_table.upload(queue, table);
  at.upload(queue, line);
  distances.zero(queue);
  useful.zero(queue);

  const Map map(domain, device_table.data());
  // How many launches and which shapes is asked on the host, of a map with the host's table.
  const Map host_map(domain, table.data());
  for (int i = 0; i < host_map.launches(); ++i)
    launch("pairs", queue, host_map.shape(i), Pairs<Map>{map, i, at.data(), distances.data(), useful.data()});

  const auto found = distances.download(queue);
  std::uint64_t wrong = 0, number = 0;
  for (std::uint32_t y = 0; y < domain.n; ++y)
    for (std::uint32_t x = 0; x <= y; ++x, ++number) {
      const std::uint64_t distance = line[y] > line[x] ? line[y] - line[x] : line[x] - line[y];
      wrong += found[number] != distance + 1;
    }
  const auto launched = static_cast<double>(Map::launched(domain)),
             served = static_cast<double>(useful.download(queue)[0]);
  std::printf("%s on %s: %llu pairs, %llu wrong; %.0f threads, %.2f %% of them waste\n", Map::info.title,
              std::string(name(queue.backend())).c_str(), static_cast<unsigned long long>(number),
              static_cast<unsigned long long>(wrong), launched, 100 * (launched - served) / launched);
  return wrong == 0;
}

}  // namespace

int main(int count, char** words) try {
  if (count < 4) throw UsageError("pairs MAP SIDE BLOCK [cpu|cuda]");
  const std::string wanted = words[1];
  const int side = std::atoi(words[2]), block = std::atoi(words[3]);
  if (side < 1 || block < 1 || block > 32) throw UsageError("a side is at least 1, a block's 1 to 32");
  Queue queue(choose_backend(count > 4 ? words[4] : "auto"));
  const SimplexDomain<2> domain(static_cast<std::uint32_t>(side), static_cast<std::uint32_t>(block), false);
  bool known = false, right = false;
  std::vector<std::string> all;
  for_each_type(TriangleMaps{}, [&]<class Map>() {
    all.emplace_back(Map::info.key);
    if (wanted != Map::info.key) return;
    known = true;
    right = run<Map>(queue, domain);
  });
  if (!known) throw UsageError(unknown_message("map", wanted, all));
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "pairs: %s\n", error.what());
  return 2;
}
