#pragma once
#include "gpu/core/unroll.h"
#include "gpu/scenes/simplex/works/single_write.h"
#include "gpu/scenes/simplex/works/write_boxes.h"

namespace warploom {

template <>
struct WorkShapes<SimplexSingleWrite> {
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
