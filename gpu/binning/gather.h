#pragma once
#include "gpu/binning/access/access.h"
#include "gpu/binning/application.h"
#include "gpu/binning/slots.h"
#include "gpu/binning/sums.h"
#include "gpu/core/group.h"

namespace warploom {

/// The outputs of a block: a cube of the lattice, each thread a column of it along z.
struct OutputTiles {
  Lattice lattice;
  std::uint32_t tile = 8, per_thread = 4;
  static constexpr unsigned most_per_thread = 8, most_threads = 512;

  LaunchShape shape() const {
    const auto along = [&](std::uint32_t points) { return (points + tile - 1) / tile; };
    return {{along(lattice.points.x), along(lattice.points.y), along(lattice.points.z)},
            {tile, tile, tile / per_thread}};
  }
  /// The first output of a thread.
  WARPLOOM_HD Index3 first(Index3 block, Index3 thread) const {
    return {block.x * tile + thread.x, block.y * tile + thread.y, block.z * tile + thread.z * per_thread};
  }
  WARPLOOM_HD bool inside(Index3 at) const {
    return at.x < lattice.points.x && at.y < lattice.points.y && at.z < lattice.points.z;
  }
  /// The outputs of a block that are inside the lattice; how many: `count`.
  WARPLOOM_HD Reach reach(Index3 block, float margin, std::uint32_t* count = nullptr) const {
    Reach all;
    all.margin = margin;
    std::uint32_t inside_it = 1;
    for (int a = 0; a < 3; ++a) {
      const std::uint32_t points = a == 0 ? lattice.points.x : a == 1 ? lattice.points.y : lattice.points.z;
      const std::uint32_t begin = (a == 0 ? block.x : a == 1 ? block.y : block.z) * tile;
      const std::uint32_t end = begin + tile < points ? begin + tile : points;
      all.low[a] = lattice.at(a, begin);
      all.high[a] = lattice.at(a, end - 1);
      inside_it *= end - begin;
    }
    if (count) *count = inside_it;
    return all;
  }
};

/// Outputs of a lattice, each the sum over the elements in its reach: a block loads runs of elements into shared
/// memory, and every thread tests them against its outputs. Launched with OutputTiles. Source: obeid2010binning.
template <class Application, class Access>
struct GatherLattice {
  static constexpr std::uint64_t threads_per_chunk = 512;
  static constexpr unsigned width = Application::info.width, components = Application::info.components;
  static constexpr unsigned most_threads = OutputTiles::most_threads;
  static constexpr BinLayout layout = Access::info.layout;

  Application application;
  BinSlots slots;
  OutputTiles outputs;
  float margin;
  float* out;  ///< (points, components)

  template <class Group>
  struct Shared {
    typename Group::template Tile<float, most_threads * width> values;
  };

  struct Sums {
    LongSum of[OutputTiles::most_per_thread][components];
    unsigned run = 0;  ///< elements since they were folded
  };

  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    typename Group::template PerLane<Sums> sums;
    group.each([&](const Thread& thread) { sums[thread] = Sums{}; });
    const Index3 block = group.block();
    each_run<Access>(slots, outputs.reach(block, margin), [&](std::uint64_t first, std::uint64_t last) {
      for (; first < last; first += group.size()) {
        const unsigned count =
            last - first < group.size() ? static_cast<unsigned>(last - first) : static_cast<unsigned>(group.size());
        group.barrier();  // all have read what was there
        // Threads of a warp load consecutive floats.
        group.each([&](const Thread& thread) {
          for (unsigned i = thread.index; i < count * width; i += group.size()) {
            unsigned slot = i / width, f = i % width;
            if (layout == BinLayout::arrays) {
              f = i / count;
              slot = i % count;
            } else if (layout == BinLayout::vectors) {
              f = 2 * (i / (2 * count)) + i % 2;
              slot = i % (2 * count) / 2;
            }
            shared.values[slot * width + f] = slots.template value<layout>(first + slot, f);
          }
        });
        group.barrier();
        group.each([&](const Thread& thread) { test(shared, count, outputs.first(block, thread.at), sums[thread]); });
      }
    });
    group.each([&](const Thread& thread) {
      fold(sums[thread]);
      Index3 at = outputs.first(block, thread.at);
      for (unsigned k = 0; k < OutputTiles::most_per_thread; ++k, ++at.z)
        if (k < outputs.per_thread && outputs.inside(at))
          for (unsigned c = 0; c < components; ++c)
            out[linear_index(at, outputs.lattice.points) * components + c] = sums[thread].of[k][c].sum;
    });
  }

 private:
  /// `count` elements against the outputs of a thread.
  template <class Tiles>
  WARPLOOM_HD void test(Tiles& shared, unsigned count, Index3 at, Sums& sums) const {
    const float x = outputs.lattice.at(0, at.x), y = outputs.lattice.at(1, at.y);
    float z[OutputTiles::most_per_thread];
    for (unsigned k = 0; k < OutputTiles::most_per_thread; ++k) z[k] = outputs.lattice.at(2, at.z + k);
    for (unsigned i = 0; i < count; ++i) {
      float element[width];
      for (unsigned f = 0; f < width; ++f) element[f] = shared.values[i * width + f];
      if (is_padding(element[0])) {
        if (Access::info.stops_at_padding) break;
        continue;
      }
      // So often, whether or not they are in reach: no run is longer.
      if (sums.run++ == longest_run) {
        fold(sums);
        sums.run = 1;
      }
      const float reach = application.square_reach(element), dx = element[0] - x, dy = element[1] - y;
      for (unsigned k = 0; k < OutputTiles::most_per_thread; ++k) {
        if (k >= outputs.per_thread) continue;
        const float dz = element[2] - z[k], square = square_sum(dx, dy, dz);
        if (!(square < reach)) continue;
        float terms[components] = {}, sizes[components] = {};
        application.add(element, {dx, dy, dz, square}, terms, sizes);
        for (unsigned c = 0; c < components; ++c) sums.of[k][c].run += terms[c];
      }
    }
  }
  WARPLOOM_HD void fold(Sums& sums) const {
    for (unsigned k = 0; k < OutputTiles::most_per_thread; ++k)
      for (unsigned c = 0; c < components; ++c)
        if (k < outputs.per_thread) sums.of[k][c].fold();
  }
};

/// A body each thread: it walks the runs itself.
template <class Application, class Access>
struct GatherBodies {
  static constexpr std::uint64_t threads_per_chunk = 512;
  static constexpr unsigned width = Application::info.width, components = Application::info.components;
  static constexpr unsigned threads = 128, most_threads = threads;

  Application application;
  BinSlots slots;
  const float* bodies;  ///< in input order
  std::uint64_t count;
  float margin;
  float* out;  ///< (count, components)

  static LaunchShape shape(std::uint64_t count) {
    LaunchShape rows = {{1, 1, 1}, {threads, 1, 1}};
    const std::uint64_t blocks = (count + threads - 1) / threads;
    rows.blocks.x = static_cast<std::uint32_t>(blocks > 0 ? blocks : 1);
    return rows;
  }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t i) { one(i); });
  }

 private:
  WARPLOOM_HD void one(std::uint64_t i) const {
    const float* body = bodies + i * width;
    Reach reach;
    for (int a = 0; a < 3; ++a) reach.low[a] = reach.high[a] = body[a];
    reach.margin = margin;
    LongSum sums[components];
    unsigned run = 0;
    each_run<Access>(slots, reach, [&](std::uint64_t first, std::uint64_t last) {
      for (; first < last; ++first) {
        float element[width];
        slots.template read<Access::info.layout>(first, element);
        if (Access::info.stops_at_padding && is_padding(element[0])) break;
        const Offset to = nearest_offset(slots.grid, body, element);
        if (to.square < application.square_reach(element)) {
          float terms[components] = {}, sizes[components] = {};
          application.add(element, to, terms, sizes);
          for (unsigned c = 0; c < components; ++c) sums[c].run += terms[c];
        }
        if (++run == longest_run) {
          for (auto& sum : sums) sum.fold();
          run = 0;
        }
      }
    });
    for (unsigned c = 0; c < components; ++c) {
      sums[c].fold();
      out[i * components + c] = sums[c].sum;
    }
  }
};

}  // namespace warploom
