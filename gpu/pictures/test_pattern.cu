#include "gpu/pictures/test_pattern.h"

#include "gpu/core/launch.h"
#include "gpu/pictures/pixel_tiles.h"

namespace warploom {

namespace {

using PatternTiles = PixelTiles<32, 8>;

struct PatternProgram {
  PixelTarget target;
  unsigned phase;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PatternTiles::each_pixel(group, target, [&](int x, int y) {
      return rgba((static_cast<unsigned>(x) + phase) & 255u, static_cast<unsigned>(y) & 255u,
                  (static_cast<unsigned>(x ^ y) + phase) & 255u);
    });
  }
};

}  // namespace

void paint_pattern(Queue& queue, const PixelTarget& target, unsigned phase) {
  launch("core.pattern", queue, PatternTiles::shape(target), PatternProgram{target, phase});
}

}  // namespace warploom
