#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/pictures/keyed_picture.h"
#include "gpu/pictures/plane_layout.h"
#include "gpu/scenes/irregular/pictures/spmv_paint.h"
#include "gpu/scenes/irregular/tracks/spmv_track.h"

namespace warploom {

/// What the pictures of a sparse product share: nonzeros in a plane, splatted onto pixels whenever the camera moves;
/// and that each of them, whichever way it is drawn, is the cell (column, row).
class SpmvPicture : public Picture, public KeyedPicture, public PlaneLayout {
 public:
  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override;
  std::vector<Outline> marks(const Selected& selected, const Looking& looking = {}) const override;
  bool leaves_room() const override { return true; }
  /// What is drawn of the matrix never changes.
  std::uint64_t version(const PictureRequest&) const override { return 1; }

 protected:
  SpmvPicture(SpmvTrack& track, PictureInfo info);

  /// Where a nonzero of a row is drawn.
  virtual SpmvPlace place_of(std::uint64_t nonzero, std::uint32_t row) const = 0;
  /// The nonzero that is drawn there; no_nonzero: none is.
  virtual std::uint64_t nonzero_at(std::uint32_t x, std::uint32_t y) const = 0;
  /// ... that is told of where something waits or pads.
  virtual std::uint64_t stand_in(std::uint32_t /*x*/, std::uint32_t /*y*/) const { return no_nonzero; }
  /// What is outlined of a nonzero, in the order to draw it.
  virtual std::vector<Outline> outlines(std::uint64_t nonzero, std::uint32_t row) const = 0;
  /// The nonzeros in a part of the plane; nullopt: too many, or it is not known which.
  virtual std::optional<std::vector<std::uint32_t>> within(Index3 low, Index3 high) const;

  // ---- the thread that paints -------------------------------------------------------------------------------------
  /// Splats the nonzeros, unless the camera stands where it stood.
  SplatPixels splat(Queue& queue, const PictureRequest& request);
  /// Other nonzeros are drawn from now on: `nonzeros()`, ascending.
  virtual void take_nonzeros(Queue&) {}
  const std::vector<std::uint32_t>& nonzeros() const { return *nonzeros_; }
  /// In the fullest pixel.
  std::uint32_t most() const { return most_drawn_; }
  /// body(nonzero, row) of all that are drawn.
  template <class Body>
  void each_nonzero(Body&& body) const {
    std::uint32_t row = 0;
    for (const std::uint32_t j : nonzeros()) {
      while (matrix_.row_starts[row + 1] <= j) ++row;
      body(j, row);
    }
  }
  /// One in so many nonzeros is drawn; any thread.
  std::uint32_t every() const { return every_; }

  SpmvTrack& track_;
  const SpmvMatrix& matrix_;
  const SpmvLayout* layout_;  ///< null of `vendor`

 private:
  /// So many nonzeros are drawn at most, unless few enough are in view.
  static constexpr std::uint64_t most_drawn = 1 << 21;
  std::uint64_t nearest(const PictureRequest& request, double x, double y) const;
  void choose_nonzeros(Queue& queue, const PictureRequest& request);

  std::shared_ptr<const std::vector<std::uint32_t>> nonzeros_;
  std::atomic<std::uint32_t> every_{1}, most_drawn_{0};
  bool all_chosen_ = false;
  Buffer<SpmvPlace> places_;
  Buffer<std::uint32_t> counts_, firsts_, most_;
  Camera camera_;
  int width_ = 0, height_ = 0;
  /// What was drawn where, for the mouse.
  struct Hits {
    Camera camera;
    int width = 0, height = 0;
    std::vector<std::uint32_t> firsts;
    std::shared_ptr<const std::vector<std::uint32_t>> nonzeros;
  };
  mutable std::mutex mutex_;
  std::shared_ptr<const Hits> hits_;  ///< under mutex_
};

/// Places in a column of arrays, and threads in a band of launches: the rows in whole warps, of few long rows more.
std::uint32_t spmv_fold(const SpmvMatrix& matrix);
/// Turns of all warps before each, launch after launch: (warps + 1).
std::vector<std::uint64_t> turns_before(const SpmvLayout& layout);

std::unique_ptr<Picture> make_spmv_matrix_picture(SpmvTrack& track);
std::unique_ptr<Picture> make_spmv_launch_picture(SpmvTrack& track);
std::unique_ptr<Picture> make_spmv_storage_picture(SpmvTrack& track);

}  // namespace warploom
