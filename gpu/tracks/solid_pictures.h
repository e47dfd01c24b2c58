#pragma once
#include <functional>

#include "gpu/tracks/plane_pictures.h"

namespace warploom {

/// What a pixel of a solid picture shows.
struct Picked {
  Cell cell;    ///< of a picture of cells
  Owner owner;  ///< of one of launches
};

/// What a pixel of a track's picture shows, of its launches or of its cells. Waits for a kernel in `queue`; nothing
/// while a picture is being built.
using PickSolid =
    std::function<std::optional<Picked>(Queue& queue, const PictureRequest& request, bool launches, float x, float y)>;

/// The cells of a domain of three axes, or its launches: blocks as cubes, in units of blocks.
class SolidPicture final : public Picture {
 public:
  /// `launches`: the launch grid, else the data space. `z_up`: the third axis points up.
  SolidPicture(CellTrack& track, PickSolid pick, bool launches, bool z_up, std::vector<ColourBy> colours);

  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string heading() const override { return launches_ ? launches_heading(track_) : std::string(); }
  std::string caption() const override;
  std::uint64_t version(const PictureRequest& request) const override;
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  std::vector<float> values(Queue& queue, Index3 first, Index3 size) override {
    return launches_ ? std::vector<float>{} : track_.window(queue, first, size);
  }
  ValueRange range(const PictureRequest&) const override { return track_.range(); }
  float shade(float value, const ValueRange& range) const override { return track_.shade(value, range); }
  Legend legend(const PictureRequest& request) const override;
  void paint(Queue& queue, const PictureRequest& request) override {
    launches_ ? track_.paint_launches(queue, request) : track_.paint_cells(queue, request);
  }

 private:
  CellTrack& track_;
  PickSolid pick_;
  bool launches_;
};

}  // namespace warploom
