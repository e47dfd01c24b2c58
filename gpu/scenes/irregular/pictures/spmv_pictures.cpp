#include "gpu/scenes/irregular/pictures/spmv_pictures.h"

#include "gpu/scenes/irregular/pictures/spmv_picture.h"

namespace warploom {

std::vector<std::unique_ptr<Picture>> make_spmv_pictures(SpmvTrack& track) {
  std::vector<std::unique_ptr<Picture>> all;
  all.push_back(make_spmv_matrix_picture(track));
  if (!track.layout()) return all;
  all.push_back(make_spmv_storage_picture(track));
  all.push_back(make_spmv_launch_picture(track));
  return all;
}

}  // namespace warploom
