#pragma once
#include "gpu/pictures/picture_request.h"
#include "gpu/scenes/irregular/tasks/schedule.h"

namespace warploom::task_colours {

inline constexpr ColourBy generation{colour_number("generation")},  ///< how far a task is from the first ones
    worker{colour_number("worker")};                                ///< which block does it

/// The categories of Okabe and Ito that are told apart on both grounds.
WARPLOOM_HD constexpr Rgba category(std::uint32_t number) {
  switch (number % 7) {
    case 0:
      return rgba(230, 159, 0);
    case 1:
      return rgba(86, 180, 233);
    case 2:
      return rgba(0, 158, 115);
    case 3:
      return rgba(240, 228, 66);
    case 4:
      return rgba(0, 114, 178);
    case 5:
      return rgba(213, 94, 0);
    default:
      return rgba(204, 121, 167);
  }
}

inline constexpr Rgba queue = category(1), wait = category(5), launch = category(6), unlike = rgba(229, 62, 77);

/// The shade of a generation among so many: on the palette, away from its dark end.
WARPLOOM_HD float generation_shade(std::uint32_t depth, std::uint32_t generations) {
  return generations < 2 ? .6f : .25f + .75f * static_cast<float>(depth) / static_cast<float>(generations - 1);
}

/// Lines on a ground that they stand out from.
WARPLOOM_HD Rgba line_on(Rgba ground) {
  return (ground & 255) + (ground >> 8 & 255) + (ground >> 16 & 255) < 384 ? rgba(255, 255, 255) : rgba(0, 0, 0);
}

}  // namespace warploom::task_colours
