#include <cmath>

#include "gpu/binning/applications/nbody.h"
#include "gpu/binning/slots.h"
#include "gpu/tracks/bins/bins.h"

namespace warploom {

namespace {

/// Bodies by bins, and a walk over those near one: for double sums, apart from what is measured.
class Near {
 public:
  Near(const BinProblem& problem, const std::vector<float>& bodies)
      : grid_(problem.space.grid), reach_(problem.space.margin), bodies_(bodies), first_(grid_.count() + 1) {
    const std::uint64_t n = bodies.size() / 4;
    std::vector<std::uint32_t> bins(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      bins[i] = static_cast<std::uint32_t>(grid_.number(grid_.bin_of(place(i))));
      ++first_[bins[i] + 1];
    }
    for (std::uint64_t bin = 0; bin < grid_.count(); ++bin) first_[bin + 1] += first_[bin];
    order_.resize(n);
    std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
    for (std::uint64_t i = 0; i < n; ++i) order_[next[bins[i]]++] = static_cast<std::uint32_t>(i);
  }
  Float3 place(std::uint64_t i) const { return {{bodies_[4 * i], bodies_[4 * i + 1], bodies_[4 * i + 2]}}; }
  template <class Body>
  void each(std::uint64_t i, Body&& body) const {
    Reach reach{place(i), place(i), reach_};
    each_row(grid_, reach.bins(grid_), [&](const BinRow& row) {
      for (std::uint64_t at = first_[row.first]; at < first_[row.last + 1]; ++at) body(order_[at]);
    });
  }

 private:
  const BinGrid& grid_;
  float reach_;
  const std::vector<float>& bodies_;
  std::vector<std::uint64_t> first_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

Conserved conserved(const BinProblem& problem, const std::vector<float>& bodies, const std::vector<float>& velocities) {
  Conserved all;
  const double square_cutoff = static_cast<double>(problem.space.cutoff) * static_cast<double>(problem.space.cutoff);
  const Near near(problem, bodies);
  for (std::uint64_t i = 0; i < bodies.size() / 4; ++i) {
    const double mass = static_cast<double>(bodies[4 * i + 3]);
    double square = 0;
    for (std::uint64_t a = 0; a < 3; ++a) {
      const double v = static_cast<double>(velocities[3 * i + a]);
      all.momentum[a] += mass * v;
      square += v * v;
    }
    all.momenta += mass * std::sqrt(square);
    all.kinetic += mass * square / 2;
    near.each(i, [&](std::uint64_t j) {
      if (j <= i) return;  // each pair once, and none with itself
      double apart = 0;
      for (std::uint64_t a = 0; a < 3; ++a) {
        const double length = static_cast<double>(problem.space.grid.length[static_cast<int>(a)]);
        const double d = static_cast<double>(bodies[4 * j + a]) - static_cast<double>(bodies[4 * i + a]);
        const double image = d - length * std::round(d / length);
        apart += image * image;
      }
      if (apart >= square_cutoff) return;
      const double u = 1 - apart / square_cutoff;
      all.potential -= static_cast<double>(Nbody::gravity) * mass * static_cast<double>(bodies[4 * j + 3]) * u * u /
                       std::sqrt(apart + static_cast<double>(Nbody::square_softening));
    });
  }
  return all;
}

}  // namespace warploom
