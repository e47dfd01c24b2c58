#pragma once
#include "gpu/maps/work.h"
#include "gpu/scenes/fractal/works/serial.h"

namespace warploom {

/// One step of a life-like automaton on the Moore neighbourhood; only member cells count, outside is dead.
struct Life {
  static constexpr WorkInfo info{"life", "Life", "one step of a life-like automaton", true, 2};

  static std::uint64_t serial(const SerialCell& cell) {
    unsigned around = 0;
    for (std::int64_t v = cell.y - 1; v <= cell.y + 1; ++v)
      for (std::int64_t u = cell.x - 1; u <= cell.x + 1; ++u)
        around += (u != cell.x || v != cell.y) && cell.alive(u, v);
    return (cell.alive(cell.x, cell.y) ? cell.rule.survive : cell.rule.born) >> around & 1u;
  }

  template <class Storage>
  struct At {
    Storage in, out;
    std::uint32_t born, survive;
    explicit At(const WorkArguments<Storage>& with)
        : in(with.in), out(with.out), born(with.rule.born), survive(with.rule.survive) {}

    WARPLOOM_HD void operator()(Cell cell) const {
      const std::uint32_t set = in.load(cell) ? survive : born;
      out.store(cell, static_cast<std::uint8_t>(set >> in.alive_around(cell) & 1u));
    }
  };
};

}  // namespace warploom
