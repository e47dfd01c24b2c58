#pragma once
#include "gpu/core/group.h"
#include "gpu/core/prefetch.h"
#include "gpu/scenes/bins/access/access.h"
#include "gpu/scenes/bins/kernels/application.h"
#include "gpu/scenes/bins/kernels/element_batch.h"
#include "gpu/scenes/bins/kernels/output_tiles.h"
#include "gpu/scenes/bins/kernels/sums.h"

namespace warploom {

/// Where an access may find a run of slots for the outputs of a block, numbered, so that each thread asks about one. Of
/// grids that are not periodic: a row of bins has one run there, or one a bin.
template <class Access>
class RunPlaces {
 public:
  WARPLOOM_HD RunPlaces(const BinSlots& slots, const Reach& reach) : slots_(slots), reach_(reach) {
    if constexpr (Access::info.structure != BinStructure::none) {
      box_ = reach.bins(slots.grid);
      rows_y_ = static_cast<std::uint32_t>(box_.last[1] - box_.first[1] + 1);
      if (Access::info.by_bins) bins_x_ = static_cast<std::uint32_t>(box_.last[0] - box_.first[0] + 1);
      count_ = std::uint64_t{box_.rows()} * bins_x_;
    }
  }
  WARPLOOM_HD std::uint64_t count() const { return count_; }
  /// Calls body(first, last) where there is a run.
  template <class Body>
  WARPLOOM_HD void at(std::uint64_t number, Body&& body) const {
    if constexpr (Access::info.structure == BinStructure::none) {
      Access::runs(slots_, BinRow{0, 0, 0, 0}, body);
    } else {
      const auto row = static_cast<std::uint32_t>(number / bins_x_), x = static_cast<std::uint32_t>(number % bins_x_);
      const std::int32_t y = box_.first[1] + static_cast<std::int32_t>(row % rows_y_),
                         z = box_.first[2] + static_cast<std::int32_t>(row / rows_y_);
      Access::row(slots_.grid, reach_, box_, y, z, [&](BinRow bins) {
        if (Access::info.by_bins) bins.first = bins.last = bins.first + x;
        Access::runs(slots_, bins, body);
      });
    }
  }

 private:
  const BinSlots& slots_;
  Reach reach_;
  BinBox box_{};
  std::uint32_t rows_y_ = 1, bins_x_ = 1;
  std::uint64_t count_ = 1;
};

/// Outputs of a lattice, each the sum over the elements in its reach: the threads of a block look up a run each, load
/// what the runs hold into shared memory, as many elements at once as they are, and test it all against their outputs.
/// Short runs come together that way: what a row of bins costs is not one wait for memory each. An access that `culls`
/// has each warp test only the elements that may reach one of its outputs, listed before. Launched with OutputTiles.
/// Source: obeid2010binning.
template <class Application, class Access>
struct GatherLattice {
  static constexpr std::uint64_t threads_per_chunk = 512;
  static constexpr unsigned width = Application::info.width, components = Application::info.components;
  static constexpr unsigned most_threads = OutputTiles::most_threads, most_warps = most_threads / warp_size;
  static constexpr BinLayout layout = Access::info.layout;
  static constexpr bool culls = Access::info.culls;
  static_assert(!(culls && Access::info.reads_padding), "what is culled is an element");
  static constexpr bool branchless = requires { requires Application::ends_in_nothing; };

  Application application;
  BinSlots slots;
  OutputTiles outputs;
  float margin;
  float* out;  ///< (points, components)

  template <class Group>
  struct Shared {
    typename Group::template Tile<float, most_threads * width> values;
    typename Group::template Tile<std::uint64_t, most_threads> slot;    ///< of the elements in `values`
    typename Group::template Tile<std::uint64_t, most_threads> first;   ///< slot of each run
    typename Group::template Tile<std::uint32_t, most_threads> before;  ///< elements of the runs before it
    // Of each warp, where it culls: of every 32 elements in `values` those that it tests, and how many they are.
    typename Group::template Tile<std::uint8_t, culls ? most_warps * most_threads : 1> kept;
    typename Group::template Tile<std::uint32_t, culls ? most_warps * most_warps : 1> kept_count;
  };

  struct Sums {
    LongSum of[OutputTiles::most_per_thread][components];
    unsigned run = 0;  ///< elements since they were folded
  };

  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    typename Group::template PerThread<Sums> sums;
    typename Group::template PerThread<std::uint64_t> first;
    typename Group::template PerThread<std::uint32_t> before;
    group.each([&](const Thread& thread) { sums[thread] = Sums{}; });
    const Index3 block = group.block();
    const RunPlaces<Access> places(slots, outputs.reach(block, margin));
    for (std::uint64_t place = 0; place < places.count(); place += group.size()) {
      group.each([&](const Thread& thread) {
        first[thread] = 0;
        before[thread] = 0;
        if (place + thread.index >= places.count()) return;
        places.at(place + thread.index, [&](std::uint64_t from, std::uint64_t to) {
          first[thread] = from;
          before[thread] = static_cast<std::uint32_t>(to - from);
        });
      });
      const std::uint32_t found = group.exclusive_sum(before);
      if (found == 0) continue;
      group.each([&](const Thread& thread) {
        shared.first[thread.index] = first[thread];
        shared.before[thread.index] = before[thread];
      });
      group.barrier();
      for (std::uint32_t done = 0; done < found;) {
        const unsigned count = found - done < group.size() ? found - done : group.size();
        group.each([&](const Thread& thread) {
          if (thread.index < count) shared.slot[thread.index] = slot_of(shared, group.size(), done + thread.index);
        });
        group.barrier();  // and all have tested what was there
        // Threads of a warp load consecutive floats.
        group.each([&](const Thread& thread) {
          for (unsigned i = thread.index; i < count * width; i += group.size()) {
            unsigned at = i / width, f = i % width;
            if (layout == BinLayout::arrays) {
              f = i / count;
              at = i % count;
            } else if (layout == BinLayout::vectors) {
              f = 2 * (i / (2 * count)) + i % 2;
              at = i % (2 * count) / 2;
            }
            const std::uint64_t slot = shared.slot[at];
            shared.values[at * width + f] = slots.template value<layout>(slot, f);
          }
        });
        group.barrier();
        if constexpr (culls) {
          cull(group, shared, count);
          group.barrier();
        }
        group.each(
            [&](const Thread& thread) { test(shared, count, thread, outputs.first(block, thread.at), sums[thread]); });
        if (Access::info.stops_at_padding) group.barrier();  // slots were read there, too
        done += count;
      }
    }
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
  /// Of the element of this number among those of all runs: in the last run that begins at it or before.
  template <class Tiles>
  WARPLOOM_HD static std::uint64_t slot_of(Tiles& shared, unsigned runs, std::uint32_t number) {
    unsigned low = 0, high = runs;
    while (high - low > 1) {
      const unsigned middle = (low + high) / 2;
      const std::uint32_t before = shared.before[middle];
      if (before <= number)
        low = middle;
      else
        high = middle;
    }
    const std::uint64_t first = shared.first[low];
    const std::uint32_t before = shared.before[low];
    return first + (number - before);
  }

  /// Lists for each warp which of the first `count` elements may reach its outputs.
  template <class Group>
  WARPLOOM_HD void cull(Group& group, Shared<Group>& shared, unsigned count) const {
    typename Group::template PerThread<bool> keeps;
    typename Group::template PerThread<unsigned> rank;
    const unsigned warps = (group.size() + warp_size - 1) / warp_size;
    for (unsigned warp = 0; warp < warps; ++warp) {
      std::uint32_t inside = 0;
      const Reach box = outputs.reach_of_warp(group.block(), warp, &inside);
      group.each([&](const Thread& thread) {
        keeps[thread] = false;
        if (thread.index >= count || inside == 0) return;
        float element[width];
        for (unsigned f = 0; f < width; ++f) element[f] = shared.values[thread.index * width + f];
        keeps[thread] = may_reach(application, element, box);
      });
      group.warp_ranks(keeps, rank);
      group.each([&](const Thread& thread) {
        const unsigned lane = thread.index % warp_size, part = warp * most_warps + thread.index / warp_size;
        if (keeps[thread]) shared.kept[part * warp_size + rank[thread]] = static_cast<std::uint8_t>(lane);
        if (lane + 1 == warp_size || thread.index + 1 == group.size())
          shared.kept_count[part] = rank[thread] + (keeps[thread] ? 1 : 0);
      });
    }
  }

  /// `count` elements against the outputs of a thread.
  template <class Tiles>
  WARPLOOM_HD void test(Tiles& shared, unsigned count, const Thread& thread, Index3 at, Sums& sums) const {
    if (outputs.per_thread == 8)
      test_column<8>(shared, count, thread, at, sums);
    else if (outputs.per_thread == 4)
      test_column<4>(shared, count, thread, at, sums);
    else if (outputs.per_thread == 2)
      test_column<2>(shared, count, thread, at, sums);
    else
      test_column<1>(shared, count, thread, at, sums);
  }

  /// ... whose number the compiler knows.
  template <unsigned Outputs, class Tiles>
  WARPLOOM_HD void test_column(Tiles& shared, unsigned count, const Thread& thread, Index3 at, Sums& sums) const {
    Column<Outputs> column{outputs.lattice.at(0, at.x), outputs.lattice.at(1, at.y), {}};
    for (unsigned k = 0; k < Outputs; ++k) column.z[k] = outputs.lattice.at(2, at.z + k);
    if constexpr (culls) {
      for (unsigned first = 0; first < count; first += warp_size) {
        const unsigned part = thread.index / warp_size * most_warps + first / warp_size;
        const unsigned kept = shared.kept_count[part];
        begin_run(sums, kept);
        for (unsigned i = 0; i < kept; ++i) {
          const unsigned lane = shared.kept[part * warp_size + i];
          test_one(shared, first + lane, column, sums);
        }
      }
    } else {
      for (unsigned first = 0; first < count; first += longest_run) {
        const unsigned last = count - first < longest_run ? count : first + longest_run;
        begin_run(sums, last - first);
        for (unsigned i = first; i < last; ++i) i += test_one(shared, i, column, sums);
      }
    }
  }

  /// No run is longer than `longest_run`, whether or not its elements are in reach.
  WARPLOOM_HD void begin_run(Sums& sums, unsigned count) const {
    if (sums.run + count > longest_run) {
      fold(sums);
      sums.run = 0;
    }
    sums.run += count;
  }

  /// Where the outputs of a thread are.
  template <unsigned Outputs>
  struct Column {
    float x, y, z[Outputs];
  };

  /// One element of those in shared memory. Returns how many behind it need no test.
  template <unsigned Outputs, class Tiles>
  WARPLOOM_HD unsigned test_one(Tiles& shared, unsigned i, const Column<Outputs>& column, Sums& sums) const {
    float element[width];
    for (unsigned f = 0; f < width; ++f) element[f] = shared.values[i * width + f];
    if (Access::info.reads_padding && is_padding(element[0])) {
      if (!Access::info.stops_at_padding) return 0;
      // What follows in its bin is padding, too.
      const std::uint64_t slot = shared.slot[i];
      return slots.capacity - 1 - static_cast<std::uint32_t>(slot % slots.capacity);
    }
    const float reach = application.square_reach(element), dx = element[0] - column.x, dy = element[1] - column.y;
    float dz[Outputs], square[Outputs];
    bool any = false;
    for (unsigned k = 0; k < Outputs; ++k) {
      dz[k] = element[2] - column.z[k];
      square[k] = square_sum(dx, dy, dz[k]);
      any |= square[k] < reach;
    }
    if (!(branchless && on_device()) && !any) return 0;
    for (unsigned k = 0; k < Outputs; ++k) {
      const bool in_reach = square[k] < reach;
      // A device computes all terms of a thread side by side, where one of them is wanted.
      if (!on_device() && !in_reach) continue;
      float run[components], sizes[components] = {};
      for (unsigned c = 0; c < components; ++c) run[c] = sums.of[k][c].run;
      application.add(element, {dx, dy, dz[k], square[k]}, run, sizes);
      for (unsigned c = 0; c < components; ++c)
        if (branchless || in_reach) sums.of[k][c].run = run[c];
    }
    return 0;
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
    const Reach reach = reach_at(body, margin);
    LongSum sums[components];
    unsigned run = 0;
    if constexpr (on_host_at_once) {
      if (!on_device()) {
        walk_at_once(body, reach, sums);
        return put(i, sums);
      }
    }
    each_run<Access>(slots, reach,
                     [&](std::uint64_t first, std::uint64_t last) { walk(body, first, last, sums, run); });
    put(i, sums);
  }

  WARPLOOM_HD void put(std::uint64_t i, LongSum* sums) const {
    for (unsigned c = 0; c < components; ++c) {
      sums[c].fold();
      out[i * components + c] = sums[c].sum;
    }
  }

  WARPLOOM_HD void walk(const float* body, std::uint64_t first, std::uint64_t last, LongSum* sums,
                        unsigned& run) const {
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
        for (unsigned c = 0; c < components; ++c) sums[c].fold();
        run = 0;
      }
    }
  }

  static constexpr bool on_host_at_once = Access::info.structure != BinStructure::none;
  /// A CPU looks up all runs before it walks the first: their elements come from memory side by side, and not one after
  /// the other's wait.
  WARPLOOM_HD void walk_at_once(const float* body, const Reach& reach, LongSum* sums) const {
    constexpr unsigned most = 64;
    struct {
      std::uint64_t first, last;
    } runs[most];
    unsigned found = 0;
    ElementBatch<Application> batch(application, slots.grid, body, sums);
    const auto walk_all = [&] {
      for (unsigned k = 0; k < found; ++k)
        for (std::uint64_t at = runs[k].first; at < runs[k].last; ++at) {
          float element[width];
          slots.template read<Access::info.layout>(at, element);
          if (Access::info.stops_at_padding && is_padding(element[0])) break;
          batch.add(element);
        }
      found = 0;
    };
    each_run<Access>(slots, reach, [&](std::uint64_t first, std::uint64_t last) {
      prefetch(slots.values + float_of_slot(Access::info.layout, width, slots.stride, first, 0));
      runs[found++] = {first, last};
      if (found == most) walk_all();
    });
    walk_all();
    batch.flush();
  }
};

}  // namespace warploom
