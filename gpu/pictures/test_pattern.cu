#include "gpu/pictures/test_pattern.h"

#include "gpu/core/launch.h"

namespace warploom {

namespace {

WARPLOOM_HD Rgba colour_at(int x, int y, unsigned phase) {
  return rgba((static_cast<unsigned>(x) + phase) & 255u, static_cast<unsigned>(y) & 255u,
              (static_cast<unsigned>(x ^ y) + phase) & 255u);
}

struct PatternProgram {
  PixelTarget target;
  unsigned phase;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const Index3 tile = group.block();
    group.each([&](const Thread& thread) {
      const auto x = static_cast<int>(tile.x * 32 + thread.at.x), y = static_cast<int>(tile.y * 8 + thread.at.y);
      if (x < target.width && y < target.height) target.set(x, y, colour_at(x, y, phase));
    });
  }
};

}  // namespace

void paint_pattern(Queue& queue, const PixelTarget& target, unsigned phase) {
  const LaunchShape shape{
      {(static_cast<std::uint32_t>(target.width) + 31) / 32, (static_cast<std::uint32_t>(target.height) + 7) / 8, 1},
      {32, 8, 1}};
  launch("core.pattern", queue, shape, PatternProgram{target, phase});
}

}  // namespace warploom
