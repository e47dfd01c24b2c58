#pragma once
#include "gpu/core/atomic.h"
#include "gpu/core/group.h"
#include "gpu/core/launch.h"
#include "gpu/maps/map.h"
#include "gpu/scenes/fractal/works/sliced_shape.h"

namespace warploom {

/// A state sliced by its top digits, as its cells see it: bit lane % 32 of chunk lane / 32 of word `base`. Bits that no
/// lane has stay 0. A single cell is written by an atomic operation, as others of its word may be at once.
struct Sliced {
  static constexpr MapInfo info{"sliced", "sliced", "a bit a cell, those of equal low digits in one word",
                                "biham1997bitslice"};
  using Value = std::uint8_t;
  static constexpr bool tiled = false;

  std::uint32_t* words = nullptr;  ///< shape.state_chunks()
  FractalDomain domain;
  SlicedShape shape;

  static Sliced of(const FractalDomain& domain, int /*block_digits*/, std::uint8_t* data) {
    return {reinterpret_cast<std::uint32_t*>(data), domain, SlicedShape(domain)};
  }
  /// Of one state; a double, because a refused size may pass 2^64.
  static double bytes(const FractalDomain& domain, int /*block_digits*/) {
    return static_cast<double>(SlicedShape(domain).state_chunks()) * sizeof(std::uint32_t);
  }

  /// What a device has of it, as a state of its own.
  Sliced part(std::uint32_t device) const { return {words + device * shape.part_chunks(), domain, shape.part(device)}; }

  /// Where a cell is.
  struct Place {
    std::uint64_t base = 0;
    std::uint32_t lane = 0;
  };
  /// Of a member.
  WARPLOOM_HD Place place(Cell cell) const {
    Place at;
    std::uint64_t power = 1;
    std::uint32_t power_of_lane = 1;
    for (int i = 0; i < domain.level; ++i) {
      const std::uint32_t copy = domain.take_copy(cell.x, cell.y);
      if (i < shape.base_digits) {
        at.base += copy * power;
        power *= domain.copies;
      } else {
        at.lane += copy * power_of_lane;
        power_of_lane *= domain.copies;
      }
    }
    return at;
  }
  /// Of the first lane; another lies by `of_lane` from it.
  WARPLOOM_HD Index2 of_base(std::uint64_t base) const { return domain.member_digits(base, 0, shape.base_digits); }
  WARPLOOM_HD Index2 of_lane(std::uint32_t lane) const {
    return domain.member_digits(lane, shape.base_digits, domain.level - shape.base_digits);
  }
  WARPLOOM_HD Cell cell(const Place& at) const {
    const Index2 found = of_base(at.base) + of_lane(at.lane);
    return {found.x, found.y, 0};
  }

  /// The byte of the 32 bits that a member is one of.
  WARPLOOM_HD std::uint64_t address(Cell cell) const {
    const Place at = place(cell);
    return shape.place(at.base, at.lane / 32) * sizeof(std::uint32_t);
  }
  WARPLOOM_HD std::uint8_t load(Cell cell) const {
    const Place at = place(cell);
    return static_cast<std::uint8_t>(words[shape.place(at.base, at.lane / 32)] >> at.lane % 32 & 1u);
  }
  WARPLOOM_HD void store(Cell cell, std::uint8_t value) const {
    const Place at = place(cell);
    std::uint32_t* word = words + shape.place(at.base, at.lane / 32);
    const std::uint32_t bit = 1u << at.lane % 32;
    if (value)
      atomic_or(word, bit);
    else
      atomic_and(word, ~bit);
  }

  /// Writes every cell, a thread 32 bits: value(cell) is 0 or not. Launched with assign_shape().
  LaunchShape assign_shape() const { return row_shape(shape.places()); }
  template <class Group, class Body>
  WARPLOOM_HD void assign(Group& group, Body&& value) const {
    each_chunk(group, [&](std::uint64_t base, std::uint32_t chunk) {
      std::uint32_t bits = 0;
      each_cell(base, chunk, [&](Cell cell, std::uint32_t bit) { bits |= (value(cell) ? 1u : 0u) << bit; });
      words[shape.place(base, chunk)] = bits;
    });
  }
  /// body(base, chunk) in a thread of each.
  template <class Group, class Body>
  WARPLOOM_HD void each_chunk(Group& group, Body&& body) const {
    each_item(group, shape.places(), [&](std::uint64_t i) {
      const auto at = shape.chunk_at(i);
      body(at.base, at.chunk);
    });
  }
  /// body(cell, bit) of the lanes of a chunk.
  template <class Body>
  WARPLOOM_HD void each_cell(std::uint64_t base, std::uint32_t chunk, Body&& body) const {
    const Index2 first = of_base(base);
    const std::uint32_t rest = chunk * 32 < shape.lanes ? shape.lanes - chunk * 32 : 0, bits = rest < 32 ? rest : 32;
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
      const Index2 at = first + of_lane(chunk * 32 + bit);
      body(Cell{at.x, at.y, 0}, bit);
    }
  }
};

}  // namespace warploom
