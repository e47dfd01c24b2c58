#include "gpu/scenes/simplex/maps/question.h"

#include <fmt/format.h>

#include "gpu/scenes/simplex/maps/counts.h"

namespace warploom {

std::string SimplexQuestion::place(Index3 at) const {
  if (at.x == ~0u) return "nowhere";
  return dimensions == 2 ? fmt::format("({}, {})", at.x, at.y) : fmt::format("({}, {}, {})", at.x, at.y, at.z);
}

std::uint64_t SimplexQuestion::count() const {
  return dimensions == 2 ? triangle_number(blocks) : tetrahedron_number(blocks);
}

Formula SimplexQuestion::of_block(bool of_launch) const {
  return {"block " + place(who.block) + (of_launch ? fmt::format(", launch {}", who.launch) : ""), {}, {}};
}

Formula closed(Formula lines, const SimplexQuestion& question) {
  // These lines are the host's arithmetic; a device's roots may fail where they do not.
  if (question.mismapped)
    lines.result = {"mis-mapped", "", lines.result.what == "wrong" ? lines.result.result : "on this device"};
  if (lines.result.what.empty())
    lines.result = {question.serves ? "serves block" : "waste", "",
                    question.block ? question.place(*question.block) : "no block"};
  return lines;
}

}  // namespace warploom
