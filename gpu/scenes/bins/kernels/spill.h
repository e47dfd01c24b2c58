#pragma once
#include <algorithm>
#include <atomic>
#include <vector>

#include "gpu/core/pool.h"
#include "gpu/scenes/bins/kernels/spread.h"

// What bins have no slots for, scattered by the host: the terms of each spilled element, added in double to all outputs
// in its reach.
namespace warploom {

/// Calls body(i) for i below `count` on the pool, until cancelled.
template <class Body>
void each_spilled(Pool& pool, const std::atomic<bool>* cancel, std::uint64_t count, Body&& body) {
  constexpr std::uint64_t grain = 16;  // a large reach is a millisecond of work
  pool.run((count + grain - 1) / grain,
           [&](std::uint64_t chunk) {
             const std::uint64_t last = std::min(count, (chunk + 1) * grain);
             for (std::uint64_t i = chunk * grain; i < last; ++i) body(i);
           },
           cancel);
}

/// `Square` rounds distances as the backend does whose bins these elements did not fit: who is in reach is told alike.
template <class Square, class Application>
std::vector<double> spill_on_lattice(const Application& application, const BinSpace& space, Pool& pool,
                                     const std::atomic<bool>* cancel, const std::vector<float>& spilled) {
  constexpr unsigned width = Application::info.width, components = Application::info.components;
  std::vector<double> sums(space.lattice.count() * components);
  each_spilled(pool, cancel, spilled.size() / width, [&](std::uint64_t i) {
    const float* element = &spilled[i * width];
    each_in_reach<Square>(application, element, space.lattice, points_in_reach(application, space.lattice, element),
                          AddTerm<Application>{application, element, sums.data()});
  });
  return sums;
}

/// Elements by bins on the host, and a walk over those near one.
class HostBins {
 public:
  HostBins(const BinSpace& space, const std::vector<float>& elements, unsigned width)
      : grid_(space.grid), margin_(space.margin), elements_(elements), width_(width), first_(grid_.count() + 1) {
    const std::uint64_t n = elements.size() / width;
    std::vector<std::uint64_t> bins(n);
    for (std::uint64_t i = 0; i < n; ++i) ++first_[(bins[i] = grid_.number(grid_.bin_of(place(i)))) + 1];
    for (std::uint64_t bin = 0; bin < grid_.count(); ++bin) first_[bin + 1] += first_[bin];
    order_.resize(n);
    std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
    for (std::uint64_t i = 0; i < n; ++i) order_[next[bins[i]]++] = i;
  }
  Float3 place(std::uint64_t i) const {
    const float* at = &elements_[i * width_];
    return {{at[0], at[1], at[2]}};
  }
  /// body(j) for the elements that may be in reach of a place.
  template <class Body>
  void each_near(const Float3& at, Body&& body) const {
    const Reach reach{at, at, margin_};
    const BinBox box = reach.bins(grid_);
    const auto along = [](std::int32_t place, std::uint32_t bins) {
      return static_cast<std::uint32_t>(wrapped_bin(place, static_cast<std::int32_t>(bins)));
    };
    for (std::int32_t z = box.first[2]; z <= box.last[2]; ++z)
      for (std::int32_t y = box.first[1]; y <= box.last[1]; ++y)
        for (std::int32_t x = box.first[0]; x <= box.last[0]; ++x) {
          const std::uint64_t bin =
              grid_.number({along(x, grid_.bins.x), along(y, grid_.bins.y), along(z, grid_.bins.z)});
          for (std::uint64_t slot = first_[bin]; slot < first_[bin + 1]; ++slot) body(order_[slot]);
        }
  }

 private:
  const BinGrid& grid_;
  float margin_;
  const std::vector<float>& elements_;
  unsigned width_;
  std::vector<std::uint64_t> first_, order_;
};

template <class Square, class Application>
std::vector<double> spill_on_bodies(const Application& application, const BinSpace& space, Pool& pool,
                                    const std::atomic<bool>* cancel, const std::vector<float>& spilled,
                                    const std::vector<float>& bodies) {
  constexpr unsigned width = Application::info.width, components = Application::info.components;
  std::vector<double> sums(bodies.size() / width * components);
  const HostBins bins(space, bodies, width);
  each_spilled(pool, cancel, spilled.size() / width, [&](std::uint64_t j) {
    const float* element = &spilled[j * width];
    bins.each_near({{element[0], element[1], element[2]}}, [&](std::uint64_t i) {
      const Offset to = nearest_offset<Square>(space.grid, &bodies[i * width], element);
      if (!(to.square < application.square_reach(element))) return;
      AddTerm<Application>{application, element, sums.data()}(i, to);
    });
  });
  return sums;
}

}  // namespace warploom
