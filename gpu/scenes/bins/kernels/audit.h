#pragma once
#include "gpu/scenes/bins/access/list.h"
#include "gpu/scenes/bins/kernels/gather.h"
#include "gpu/scenes/bins/kernels/stages.h"
#include "gpu/scenes/bins/kernels/sums.h"

// What a gather does, counted: untimed, and apart from it. The access is chosen at run time, so that there is one
// program an application.
namespace warploom {

/// Calls body.operator()<Access>() for the access of this number in BinAccesses.
template <class Body, class... Accesses>
WARPLOOM_HD void with_access(int number, TypeList<Accesses...>, Body&& body) {
  int i = 0;
  ((i++ == number ? body.template operator()<Accesses>() : void()), ...);
}

/// The elements in reach of an output, and the magnitudes of their terms.
template <class Application>
struct AuditedOutput {
  static constexpr unsigned components = Application::info.components;
  std::uint32_t hits;
  LongSum sizes[components];

  WARPLOOM_HD void add(const Application& application, const float* element, const Offset& to) {
    float terms[components] = {}, of_terms[components] = {};
    application.add(element, to, terms, of_terms);
    for (unsigned c = 0; c < components; ++c) sizes[c].run += of_terms[c];
    if (++hits % longest_run == 0) fold();
  }
  WARPLOOM_HD void put(const AuditOut& out, std::uint64_t output) {
    fold();
    out.hits[output] += hits;
    for (unsigned c = 0; c < components; ++c) out.sizes[output * components + c] += static_cast<double>(sizes[c].sum);
  }

 private:
  WARPLOOM_HD void fold() {
    for (LongSum& size : sizes) size.fold();
  }
};

template <class Application>
struct AuditLattice {
  static constexpr std::uint64_t threads_per_chunk = 512;
  static constexpr unsigned width = Application::info.width;
  static constexpr unsigned most_threads = OutputTiles::most_threads;
  Application application;
  BinSlots slots;
  OutputTiles outputs;
  float margin;
  int access;
  AuditOut out;

  struct Found {
    AuditedOutput<Application> outputs[OutputTiles::most_per_thread];
    std::uint64_t tested;
  };

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<Found> found;
    group.each([&](const Thread& thread) { found[thread] = Found{}; });
    const Index3 block = group.block();
    const Reach reach = outputs.reach(block, margin);
    std::uint64_t padding = 0, reads = 0;
    with_access(access, BinAccesses{}, [&]<class Access>() {
      each_row_of<Access>(slots.grid, reach, [&](const BinRow& row) {
        reads += Access::info.reads_a_row + Access::info.reads_a_bin * (row.last - row.first + 1);
        Access::runs(slots, row, [&](std::uint64_t first, std::uint64_t last) {
          for (std::uint64_t slot = first; slot < last; ++slot)
            padding += is_padding(slots.template value<Access::info.layout>(slot, 0));
          group.each([&](const Thread& thread) {
            std::uint32_t of_warp = 0;
            const Reach own = outputs.reach_of_warp(block, thread.index / warp_size, &of_warp);
            for (std::uint64_t slot = first; slot < last; ++slot) {
              float element[width];
              slots.template read<Access::info.layout>(slot, element);
              if (is_padding(element[0])) continue;
              if (Access::info.culls && (of_warp == 0 || !may_reach(application, element, own))) continue;
              test(element, outputs.first(block, thread.at), found[thread]);
            }
          });
        });
      });
    });
    group.each([&](const Thread& thread) {
      Index3 at = outputs.first(block, thread.at);
      for (unsigned k = 0; k < OutputTiles::most_per_thread; ++k, ++at.z)
        if (k < outputs.per_thread && outputs.inside(at))
          found[thread].outputs[k].put(out, linear_index(at, outputs.lattice.points));
    });
    typename Group::template PerThread<std::uint64_t> tested;
    group.each([&](const Thread& thread) { tested[thread] = found[thread].tested; });
    out.add_tests(group, tested);
    group.once([&] {
      atomic_add(&out.totals->index_reads, reads);
      atomic_add(&out.totals->padding_read, padding);
    });
  }

 private:
  WARPLOOM_HD void test(const float* element, Index3 at, Found& found) const {
    const float reach = application.square_reach(element), dx = element[0] - outputs.lattice.at(0, at.x),
                dy = element[1] - outputs.lattice.at(1, at.y);
    for (unsigned k = 0; k < OutputTiles::most_per_thread; ++k) {
      const float dz = element[2] - outputs.lattice.at(2, at.z + k), square = square_sum(dx, dy, dz);
      if (k >= outputs.per_thread || !outputs.inside({at.x, at.y, at.z + k})) continue;
      ++found.tested;
      if (square < reach) found.outputs[k].add(application, element, {dx, dy, dz, square});
    }
  }
};

template <class Application>
struct AuditBodies {
  static constexpr std::uint64_t threads_per_chunk = 512;
  static constexpr unsigned width = Application::info.width;
  static constexpr unsigned most_threads = GatherBodies<Application, NoneGather>::threads;
  Application application;
  BinSlots slots;
  const float* bodies;
  std::uint64_t count;
  float margin;
  int access;
  AuditOut out;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> tested, reads, padding;
    const std::uint64_t first_body = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      tested[thread] = reads[thread] = padding[thread] = 0;
      if (const std::uint64_t i = first_body + thread.index; i < count)
        one(i, tested[thread], reads[thread], padding[thread]);
    });
    out.add_tests(group, tested);
    group.sum_once(reads, [&](std::uint64_t sum) { atomic_add(&out.totals->index_reads, sum); });
    group.sum_once(padding, [&](std::uint64_t sum) { atomic_add(&out.totals->padding_read, sum); });
  }

 private:
  WARPLOOM_HD void one(std::uint64_t i, std::uint64_t& tested, std::uint64_t& reads, std::uint64_t& padding) const {
    const float* body = bodies + i * width;
    const Reach reach = reach_at(body, margin);
    AuditedOutput<Application> found{};
    with_access(access, BinAccesses{}, [&]<class Access>() {
      each_row_of<Access>(slots.grid, reach, [&](const BinRow& row) {
        reads += Access::info.reads_a_row + Access::info.reads_a_bin * (row.last - row.first + 1);
        Access::runs(slots, row, [&](std::uint64_t first, std::uint64_t last) {
          for (std::uint64_t slot = first; slot < last; ++slot) {
            float element[width];
            slots.template read<Access::info.layout>(slot, element);
            if (is_padding(element[0])) {
              ++padding;
              continue;
            }
            ++tested;
            const Offset to = nearest_offset(slots.grid, body, element);
            if (to.square < application.square_reach(element)) found.add(application, element, to);
          }
        });
      });
    });
    found.put(out, i);
  }
};

struct SquareOf {
  const double* values;
  WARPLOOM_HD void operator()(std::uint64_t i, double* own) const { *own = values[i] * values[i]; }
};

/// How far two tracks' outputs are apart: square of the difference, of the reference.
struct CompareOutputs {
  const float *mine, *reference;
  WARPLOOM_HD void operator()(std::uint64_t i, double* own) const {
    const double right = static_cast<double>(reference[i]), difference = static_cast<double>(mine[i]) - right;
    own[0] = difference * difference;
    own[1] = right * right;
  }
};

/// In how many outputs the numbers of elements in reach differ, and the first of them.
struct CompareHits {
  const std::uint32_t *mine, *reference;
  std::uint64_t* found;  ///< how many: 0 before; the first: all ones before
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    if (mine[i] == reference[i]) return;
    atomic_add(found, 1);
    atomic_minimum(found + 1, i);
  }
};

}  // namespace warploom
