#pragma once
#include "gpu/scenes/bins/kernels/application.h"
#include "gpu/scenes/bins/kernels/stages.h"
#include "gpu/scenes/bins/kernels/sums.h"

namespace warploom {

/// Lattice points that a ball about a place may hold.
WARPLOOM_HD TileBox points_in_reach(const Lattice& lattice, const float* place, float reach) {
  TileBox box;
  for (int a = 0; a < 3; ++a) {
    // Half a spacing more on both sides: rounding loses no point, the distance decides.
    const float from = place[a] - lattice.origin[a], low = (from - reach) / lattice.spacing - .5f,
                high = (from + reach) / lattice.spacing + 1.5f;
    const auto last = static_cast<float>(coordinate(lattice.points, a));
    box.first[a] = low > 0 ? static_cast<std::uint32_t>(low < last ? low : last) : 0;
    box.end[a] = high > 0 ? static_cast<std::uint32_t>(high < last ? high : last) : 0;
  }
  return box;
}
template <class Application>
WARPLOOM_HD TileBox points_in_reach(const Application& application, const Lattice& lattice, const float* element) {
  return points_in_reach(lattice, element, sqrtf(application.square_reach(element)));
}

/// Calls body(point, Offset) for the lattice points in a box that an element reaches. `Square`: how distances are
/// rounded.
template <class Square = SquareHere, class Application, class Body>
WARPLOOM_HD void each_in_reach(const Application& application, const float* element, const Lattice& lattice,
                               const TileBox& box, Body&& body) {
  const float square_reach = application.square_reach(element);
  box.each([&](Index3 at) {
    const float dx = element[0] - lattice.at(0, at.x), dy = element[1] - lattice.at(1, at.y),
                dz = element[2] - lattice.at(2, at.z), square = Square()(dx, dy, dz);
    if (square < square_reach) body(linear_index(at, lattice.points), Offset{dx, dy, dz, square});
  });
}

/// Adds an element's term to an output.
template <class Application>
struct AddTerm {
  static constexpr unsigned components = Application::info.components;
  const Application& application;
  const float* element;
  double* sums;  ///< (points, components)
  WARPLOOM_HD void operator()(std::uint64_t point, const Offset& to) const {
    float terms[components] = {}, sizes[components] = {};
    application.add(element, to, terms, sizes);
    for (unsigned c = 0; c < components; ++c) atomic_add(sums + point * components + c, static_cast<double>(terms[c]));
  }
};

/// ... to an output's audit.
template <class Application>
struct AddHit {
  static constexpr unsigned components = Application::info.components;
  const Application& application;
  const float* element;
  const AuditOut& out;
  WARPLOOM_HD void operator()(std::uint64_t point, const Offset& to) const {
    atomic_fetch_add(out.hits + point, 1);
    float terms[components] = {}, sizes[components] = {};
    application.add(element, to, terms, sizes);
    for (unsigned c = 0; c < components; ++c)
      atomic_add(out.sizes + point * components + c, static_cast<double>(sizes[c]));
  }
};

/// A thread per element: it adds its term to every output in reach, atomically and in double. Source: obeid2010binning.
template <class Application>
struct SpreadElements {
  static constexpr std::uint64_t threads_per_chunk = 512;
  Application application;
  Elements elements;
  Lattice lattice;
  double* out;  ///< (points, components), 0 before

  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const float* element = elements.values + i * Application::info.width;
    each_in_reach(application, element, lattice, points_in_reach(application, lattice, element),
                  AddTerm<Application>{application, element, out});
  }
};

/// Of SpreadElements: blocks of elements.
template <class Application>
struct AuditSpread {
  static constexpr std::uint64_t threads_per_chunk = 512;
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
      const float* element = elements.values + i * Application::info.width;
      const TileBox box = points_in_reach(application, lattice, element);
      tested[thread] = std::uint64_t{box.columns()} * box.extent(0);
      each_in_reach(application, element, lattice, box, AddHit<Application>{application, element, out});
    });
    out.add_tests(group, tested);
  }
};

/// Sums in double to floats.
struct RoundSums {
  const double* sums;
  float* out;
  WARPLOOM_HD void operator()(std::uint64_t i) const { out[i] = static_cast<float>(sums[i]); }
};

/// Points with an atom nearer than `radius` are set to 0: all write the same, so that no atomics are needed.
struct ExcludeStage {
  static constexpr std::uint64_t threads_per_chunk = 512;
  Elements atoms;
  Lattice lattice;
  float radius;
  float* out;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const Float3 p = atoms.place(i);
    points_in_reach(lattice, p.at, radius).each([&](Index3 at) {
      const float square =
          square_sum(p[0] - lattice.at(0, at.x), p[1] - lattice.at(1, at.y), p[2] - lattice.at(2, at.z));
      if (square < radius * radius) relaxed_store(out + linear_index(at, lattice.points), 0.f);
    });
  }
};

}  // namespace warploom
