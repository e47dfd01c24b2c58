#pragma once
#include "gpu/pictures/picture.h"
#include "gpu/pictures/plane_flight.h"
#include "gpu/tracks/cell_track.h"

namespace warploom {

/// Of pictures of launches by what becomes of their threads.
inline const Legend launches_legend{"wasted", "useful", true};

/// Of pictures of cells: changes with the state where they show it, and with the counts, that bring the tables of other
/// colours.
std::uint64_t cells_version(const CellTrack& track, bool shows_state);
/// Of pictures of cells.
Legend cells_legend(const CellTrack& track, const PictureRequest& request);
/// The blocks that a device launches as one with a thread's, as places of the board: from the first to past the last.
/// Nullopt: it is launched by itself, or the picture parts them.
std::optional<std::pair<Index3, Index3>> gang_of(const CellTrack& track, const Owner& who);
/// The outlines of what is selected, in boxes of `unit` cells; the last is the selected cell's where there is one.
std::vector<Outline> marks_of_cells(const CellTrack& track, const Selected& selected, std::array<double, 3> unit);
/// "3 launches, BLOCKS" or "4 x 4 BLOCKS": the heading of pictures of launches.
std::string launches_heading(const CellTrack& track);
/// "12 of 64 blocks idle", or how many are mis-mapped; of pictures of launches.
std::string launches_caption(const CellTrack& track);
/// "blocks of 32 threads, each block for 8 x 8 cells, 2 launched as one"
std::string blocks_in_words(const CellTrack& track);

/// The cells of a domain of two axes, a place each.
class PlaneOfCells final : public Picture {
 public:
  /// `tall` and `morphs` as in PictureInfo; `colours`: what cells can be coloured by.
  PlaneOfCells(CellTrack& track, double tall, std::vector<ColourBy> colours, bool morphs = false);

  std::array<double, 3> extent(const Looking& = {}) const override { return real(track_.extent()); }
  std::string caption() const override;
  std::uint64_t version(const PictureRequest& request) const override {
    return cells_version(track_, request.colour_by == ColourBy::state && !(request.solid.morph < 1));
  }
  double on_its_way(double morph) const override { return info().morphs && track_.flies() ? morph : 1; }
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  std::vector<float> values(Queue& queue, Index3 first, Index3 size) override {
    return track_.window(queue, first, size);
  }
  ValueRange range(const PictureRequest&) const override { return track_.range(); }
  float shade(float value, const ValueRange& range) const override { return track_.shade(value, range); }
  Legend legend(const PictureRequest& request) const override { return cells_legend(track_, request); }
  void paint(Queue& queue, const PictureRequest& request) override { track_.paint_cells(queue, request); }
  int samples_on_device(const PictureRequest& request) const override { return track_.samples_on_device(request); }

  /// Of blocks on their way over this plane.
  FlightPath path(double morph) const;

 private:
  CellTrack& track_;
};

/// The launches of such a track, a place a thread. Made when the track has its board.
class PlaneOfLaunches final : public Picture {
 public:
  explicit PlaneOfLaunches(CellTrack& track);

  std::array<double, 3> extent(const Looking& looking = {}) const override;
  std::string heading() const override { return launches_heading(track_); }
  std::string caption() const override { return launches_caption(track_); }
  std::uint64_t version(const PictureRequest&) const override { return track_.counts().has_value(); }
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  void paint(Queue& queue, const PictureRequest& request) override { track_.paint_launches(queue, request); }
  Legend legend(const PictureRequest& request) const override {
    return request.colour_by == ColourBy::launch_order ? cells_legend(track_, request) : launches_legend;
  }

 private:
  CellTrack& track_;
};

}  // namespace warploom
