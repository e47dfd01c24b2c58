#pragma once
#include "gpu/scenes/simplex/works/serial.h"
#include "gpu/scenes/simplex/works/work.h"
#include "gpu/scenes/simplex/works/write_boxes.h"

namespace warploom {

/// The number one to every cell: what placing threads costs when they do next to nothing.
struct SimplexSingleWrite {
  static constexpr SimplexWorkInfo info{.key = "single_write",
                                        .title = "Single write",
                                        .description = "the number one to every cell, 4 bytes",
                                        .citation = "navarro2016tetrahedra",
                                        .more_points = no_points,
                                        .bytes_per_cell = 4,
                                        .under_inexact_maps = true};
  template <int>
  using Value = std::uint32_t;

  static SerialValue serial(const SerialSpot&) { return {1, 1}; }
  /// Ones over zeros: the number of cells only if all are written.
  static std::uint64_t total(int dimensions, std::uint64_t n) {
    const std::uint64_t pairs = n * (n + 1) / 2;
    return dimensions == 2 ? pairs : pairs * (n + 2) / 3;
  }

  template <int Dimensions, class Storage>
  struct At {
    Storage out;
    explicit At(const SimplexArguments<Dimensions, Storage>& with) : out(with.out) {}
    WARPLOOM_HD void operator()(const Spot& spot) const { out.store(spot.address, 1); }
  };

  template <int Dimensions>
  using Shapes = WritingShapes<Dimensions>;
  template <class Shape>
  struct Boxes {
    BoxWriter<Shape, std::uint32_t> write;
    explicit Boxes(const CoarseArguments<Shape, std::uint32_t>& with) : write{with.domain, with.layout, with.out} {}
    template <class Group>
    WARPLOOM_HD void block(Group& group, const BlockView& view) const {
      group.each([&](const Thread& thread) { write(view, thread.index, One{}); });
    }

   private:
    struct One {
      WARPLOOM_HD std::uint32_t operator()(Cell) const { return 1; }
      WARPLOOM_HD One columns(std::uint32_t) const { return {}; }
      WARPLOOM_HD auto pack(Cell, std::int32_t) const {
        Pack<std::uint32_t, BoxWriter<Shape, std::uint32_t>::width> ones;
        WARPLOOM_UNROLL
        for (std::uint32_t& one : ones.values) one = 1;
        return ones;
      }
    };
  };
};

}  // namespace warploom
