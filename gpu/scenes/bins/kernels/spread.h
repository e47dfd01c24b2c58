#pragma once
#include "gpu/scenes/bins/kernels/application.h"
#include "gpu/scenes/bins/kernels/audit_out.h"
#include "gpu/scenes/bins/kernels/stages.h"

namespace warploom {

/// Lattice points along an axis that an element may reach, first and one past the last.
WARPLOOM_HD void points_in_reach(const Lattice& lattice, int axis, float p, float reach, std::uint32_t& first,
                                 std::uint32_t& end) {
  const std::uint32_t points = axis == 0 ? lattice.points.x : axis == 1 ? lattice.points.y : lattice.points.z;
  // Half a spacing more on both sides: rounding loses no point, the distance decides.
  const float from = p - lattice.origin[axis], low = (from - reach) / lattice.spacing - .5f,
              high = (from + reach) / lattice.spacing + 1.5f;
  const auto last = static_cast<float>(points);
  first = low > 0 ? static_cast<std::uint32_t>(low < last ? low : last) : 0;
  end = high > 0 ? static_cast<std::uint32_t>(high < last ? high : last) : 0;
}

/// A thread per element: it adds its term to every output in reach, atomically and in double. Source: obeid2010binning.
template <class Application>
struct SpreadElements {
  static constexpr std::uint64_t threads_per_chunk = 512;
  static constexpr unsigned width = Application::info.width, components = Application::info.components;
  Application application;
  Elements elements;
  Lattice lattice;
  double* out;  ///< (points, components), 0 before

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, elements.count, [&](std::uint64_t i) {
      const float* element = elements.values + i * width;
      each_in_reach(application, element, lattice, [&](std::uint64_t point, const Offset& to) {
        float terms[components] = {}, sizes[components] = {};
        application.add(element, to, terms, sizes);
        for (unsigned c = 0; c < components; ++c)
          atomic_add(out + point * components + c, static_cast<double>(terms[c]));
      });
    });
  }

  /// Calls body(point, Offset) for the lattice points that the element reaches. Returns how many were tested. `Square`:
  /// how distances are rounded.
  template <class Square = SquareHere, class Body>
  WARPLOOM_HD static std::uint64_t each_in_reach(const Application& application, const float* element,
                                                 const Lattice& lattice, Body&& body) {
    const float square_reach = application.square_reach(element), reach = sqrtf(square_reach);
    std::uint32_t first[3], end[3];
    for (int a = 0; a < 3; ++a) points_in_reach(lattice, a, element[a], reach, first[a], end[a]);
    std::uint64_t tested = 0;
    for (std::uint32_t z = first[2]; z < end[2]; ++z)
      for (std::uint32_t y = first[1]; y < end[1]; ++y)
        for (std::uint32_t x = first[0]; x < end[0]; ++x, ++tested) {
          const float dx = element[0] - lattice.at(0, x), dy = element[1] - lattice.at(1, y),
                      dz = element[2] - lattice.at(2, z), square = Square()(dx, dy, dz);
          if (square < square_reach) body(linear_index({x, y, z}, lattice.points), Offset{dx, dy, dz, square});
        }
    return tested;
  }
};

/// Of SpreadElements: blocks of elements.
template <class Application>
struct AuditSpread {
  static constexpr std::uint64_t threads_per_chunk = 512;
  static constexpr unsigned width = Application::info.width, components = Application::info.components;
  Application application;
  Elements elements;
  Lattice lattice;
  AuditOut out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> tested;
    const std::uint64_t first = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      tested[thread] = 0;
      const std::uint64_t i = first + thread.index;
      if (i >= elements.count) return;
      const float* element = elements.values + i * width;
      tested[thread] = SpreadElements<Application>::each_in_reach(
          application, element, lattice, [&](std::uint64_t point, const Offset& to) {
            atomic_fetch_add(out.hits + point, 1);
            float terms[components] = {}, of_terms[components] = {};
            application.add(element, to, terms, of_terms);
            for (unsigned c = 0; c < components; ++c)
              atomic_add(out.sizes + point * components + c, static_cast<double>(of_terms[c]));
          });
    });
    group.sum_once(tested, [&](std::uint64_t sum) {
      out.tests[group.block_number()] = sum;
      atomic_add(&out.totals->pairs_tested, sum);
    });
  }
};

/// Sums in double to floats.
struct RoundSums {
  const double* sums;
  std::uint64_t count;
  float* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t i) { out[i] = static_cast<float>(sums[i]); });
  }
};

/// Points with an atom nearer than `radius` are set to 0: all write the same, so that no atomics are needed.
struct ExcludeStage {
  static constexpr std::uint64_t threads_per_chunk = 512;
  Elements atoms;
  Lattice lattice;
  float radius;
  float* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, atoms.count, [&](std::uint64_t i) {
      const Float3 p = atoms.place(i);
      std::uint32_t first[3], end[3];
      for (int a = 0; a < 3; ++a) points_in_reach(lattice, a, p[a], radius, first[a], end[a]);
      for (std::uint32_t z = first[2]; z < end[2]; ++z)
        for (std::uint32_t y = first[1]; y < end[1]; ++y)
          for (std::uint32_t x = first[0]; x < end[0]; ++x)
            if (square_sum(p[0] - lattice.at(0, x), p[1] - lattice.at(1, y), p[2] - lattice.at(2, z)) < radius * radius)
              relaxed_store(out + linear_index({x, y, z}, lattice.points), 0.f);
    });
  }
};

}  // namespace warploom
