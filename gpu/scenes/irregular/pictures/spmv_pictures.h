#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/pictures/picture.h"
#include "gpu/tracks/simulation.h"

namespace warploom {

class SpmvTrack;

/// The pictures of a track, the main one first: `matrix`, `storage`, `launch`; of `vendor` the matrix alone.
std::vector<std::unique_ptr<Picture>> make_spmv_pictures(SpmvTrack& track);
/// What to look at, in whole sentences, of the pictures that are shown.
std::string spmv_look_at(const Simulation& simulation, const std::vector<std::string>& pictures);

}  // namespace warploom
