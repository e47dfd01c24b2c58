#pragma once
#include <cstdlib>

#include "gpu/scenes/simplex/works/serial.h"
#include "gpu/scenes/simplex/works/work.h"

namespace warploom {

/// One step of a life-like automaton on the nearest neighbours inside the simplex: the eight of Moore in a triangle,
/// the six that share a face in a tetrahedron. Outside is dead.
struct SimplexAutomaton {
  static constexpr SimplexWorkInfo info{.key = "automaton",
                                        .title = "Automaton",
                                        .description = "one step of a life-like automaton on 8 or 6 neighbours",
                                        .citation = "navarro2016tetrahedra",
                                        .reads_state = true,
                                        .more_points = no_points,
                                        .bytes_per_cell = 2,
                                        .under_inexact_maps = true};
  template <int>
  using Value = std::uint8_t;

  static SerialValue serial(const SerialSpot& spot) {
    unsigned alive = 0;
    const int deep = spot.dimensions == 3;
    for (std::int64_t w = -deep; w <= deep; ++w)
      for (std::int64_t v = -1; v <= 1; ++v)
        for (std::int64_t u = -1; u <= 1; ++u) {
          const std::int64_t steps = std::abs(u) + std::abs(v) + std::abs(w);
          const bool near = deep ? steps == 1 : steps > 0;
          if (near && spot.member(spot.x + u, spot.y + v, spot.z + w))
            alive += spot.start(spot.x + u, spot.y + v, spot.z + w) > 0;
        }
    const unsigned set = spot.start(spot.x, spot.y, spot.z) > 0 ? spot.rule.survive : spot.rule.born;
    return {double(set >> alive & 1u), 1};
  }

  template <int Dimensions, class Storage>
  struct At {
    SimplexDomain<Dimensions> domain;
    Storage in, out;
    std::uint32_t born, survive;
    explicit At(const SimplexArguments<Dimensions, Storage>& with)
        : domain(with.domain), in(with.in), out(with.out), born(with.rule.born), survive(with.rule.survive) {}

    WARPLOOM_HD void operator()(const Spot& spot) const {
      unsigned alive = 0;
      const auto look = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        const Cell near{x, y, z};  // below zero wraps, and lies outside
        if (domain.contains(near)) alive += in.load(near);
      };
      const auto [x, y, z] = spot.cell;
      if constexpr (Dimensions == 2) {
        for (std::uint32_t v = y - 1; v != y + 2; ++v)
          for (std::uint32_t u = x - 1; u != x + 2; ++u)
            if (u != x || v != y) look(u, v, 0);
      } else {
        look(x - 1, y, z);
        look(x + 1, y, z);
        look(x, y - 1, z);
        look(x, y + 1, z);
        look(x, y, z - 1);
        look(x, y, z + 1);
      }
      const std::uint32_t set = in.at(spot.address) ? survive : born;
      out.store(spot.address, static_cast<std::uint8_t>(set >> alive & 1u));
    }
  };
};

}  // namespace warploom
