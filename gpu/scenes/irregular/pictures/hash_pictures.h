#pragma once
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "gpu/pictures/keyed_picture.h"
#include "gpu/pictures/picture.h"

namespace warploom {

class HashTrack;

namespace hash_colours {
inline constexpr ColourBy probes{colour_number("probes")},  ///< of a slot, what its key costs to find
    table{colour_number("table")};                          ///< which table or function a key stands in
}  // namespace hash_colours

/// Kinds of pictures of tables: Okabe and Ito's colours [okabe2008color].
WARPLOOM_HD constexpr Rgba hash_kind(unsigned number) {
  return number == 0 ? rgba(230, 159, 0) : number == 1 ? rgba(86, 180, 233) : rgba(0, 158, 115);
}
/// "23 probes"
std::string probes_text(float most);

/// Probes as the palette has them: by their logarithm, from 1 to the most.
WARPLOOM_HD float shade_probes(float probes, float most) {
  return probes <= 1 || most <= 1 ? 0 : logf(probes) / logf(most);
}

/// The slots of a track's table in rows of 576.
std::unique_ptr<Picture> make_table_picture(HashTrack& track);
/// How a bucket of two_level is built: its slots along, its write phases downwards.
std::unique_ptr<Picture> make_rounds_picture(HashTrack& track);
/// A layer of both sheets of voxels.
std::unique_ptr<Picture> make_voxels_picture(HashTrack& track);

/// Those that a track has, the main one first.
std::vector<std::unique_ptr<Picture>> make_hash_pictures(HashTrack& track);

}  // namespace warploom
