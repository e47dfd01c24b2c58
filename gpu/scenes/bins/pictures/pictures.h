#pragma once
#include <memory>

#include "gpu/pictures/keyed_picture.h"
#include "gpu/pictures/picture.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

/// A picture of bins: what all of them share.
class PictureOfBins : public Picture {
 public:
  std::uint64_t version(const PictureRequest&) const override {
    // A state that was not followed is looked at late, and painted again: cards and the mouse tell of what is seen.
    return 1 + track_.version() + (track_.late_looks() << 48);
  }

 protected:
  PictureOfBins(BinsTrack& track, PictureInfo info) : Picture(std::move(info)), track_(track) {}
  const BinSpace& space() const { return track_.problem().space; }
  BinsTrack& track_;
};

/// Among the outputs of a lattice, in points: point i fills i to i + 1.
inline std::array<double, 3> among_outputs(const BinSpace& space, const Float3& place) {
  const auto along = [&](int a) {
    return double{place[a] - space.lattice.origin[a]} / double{space.lattice.spacing} + .5;
  };
  return {along(0), along(1), along(2)};
}
/// ... low and high of the box of a bin.
inline std::pair<std::array<double, 3>, std::array<double, 3>> bin_among_outputs(const BinSpace& space, Index3 bin) {
  Float3 corner;
  for (int a = 0; a < 3; ++a)
    corner[a] = space.grid.origin[a] + space.grid.side[a] * static_cast<float>(coordinate(bin, a));
  const auto low = among_outputs(space, corner);
  const auto end = [&](int a) {
    return low[static_cast<std::size_t>(a)] + double{space.grid.side[a]} / double{space.lattice.spacing};
  };
  return {low, {end(0), end(1), end(2)}};
}

/// How full bins are: all that lie behind each other, or a layer of them; elements as dots, where there is room.
std::unique_ptr<Picture> make_occupancy_picture(BinsTrack& track);
/// Slots in address order.
std::unique_ptr<Picture> make_memory_picture(BinsTrack& track);
/// Bodies, that are outputs themselves, where they are.
std::unique_ptr<Picture> make_bodies_picture(BinsTrack& track);
/// A layer of the outputs of a lattice.
std::unique_ptr<Picture> make_output_picture(BinsTrack& track);
/// The surface on which outputs have a value, and the one where they have its negative; the mouse picks the output
/// under it. Of applications that tell which value.
std::unique_ptr<Picture> make_surface_picture(BinsTrack& track);
/// A layer of the image whose spectrum the outputs are, and beside it of what it should be. Made by the thread that
/// steps, where they are looked at.
std::unique_ptr<Picture> make_image_picture(BinsTrack& track);
/// Blocks in launch order, by the pairs they have to test.
std::unique_ptr<Picture> make_load_picture(BinsTrack& track);

}  // namespace warploom
