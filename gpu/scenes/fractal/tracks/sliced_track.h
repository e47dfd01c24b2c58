#pragma once
#include <memory>

#include "gpu/scenes/fractal/pictures/box_counter.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
#include "gpu/scenes/fractal/tracks/state.h"
#include "gpu/scenes/fractal/works/sliced_tables.h"
#include "gpu/tracks/facets/described.h"

namespace warploom {

/// The state sliced by its top digits: a thread serves the cells of a block of words in one chunk, 32 an operation, and
/// no map is asked. Counts are of bits: of those of the last chunk lanes do not have all.
class SlicedTrack final : public FractalStateTrack<Sliced>, public Described {
  using Base = FractalStateTrack<Sliced>;

 public:
  SlicedTrack(Queue& queue, const FractalSettings& settings, const TrackInfo& info);

  void count(Queue& queue) override;

  bool owner(Cell cell, Owner& who) const override;
  std::optional<Target> target(const Owner& who) const override;
  /// Its cells lie all over the domain.
  std::optional<std::pair<Cell, Cell>> footprint(const Owner& who) const override;
  Formula formula(const Owner& who) const override;

  /// A thread's cells lie all over the domain: none can fly to them.
  bool flies() const override { return false; }
  /// Of a cell: the words that its word reads, and where a neighbour is another lane's, which bit becomes which.
  std::vector<std::pair<std::string, std::string>> describe(const Selection& selection) const override;
  void paint_cells(Queue& queue, const PictureRequest& request) override;
  void paint_launches(Queue& queue, const PictureRequest& request) override;
  /// Of states all cells are shown, by counts of whole boxes, where a pixel has such.
  int samples_on_device(const PictureRequest& request) const override;

 protected:
  std::uint64_t steps_of_launch() const override { return stepper_ ? stepper_->at_once() : 1; }
  void advance(Queue& queue, const std::uint8_t* from, std::uint8_t* to, std::uint64_t count, bool last) override;
  void advancing(Queue& queue, std::uint64_t count, bool last) override;
  void advanced(std::uint64_t count, bool last) override;

 private:
  SlicedServing::Bit bit(const Owner& who) const;
  /// Whether a launch adds up the seal of what it writes.
  bool fuses(std::uint64_t count, bool last) const;
  /// The boxes that a picture takes as a whole, though they may lie under two pixels: their level; 0: it takes those
  /// alone that lie under one. Below 0: it has no use for counts.
  int counted_leaf(const PictureRequest& request) const;
  static constexpr int boxes_a_pixel = 4;
  void paint_counted(Queue& queue, const PictureRequest& request, int leaf);

  SlicedShape shape_;
  SlicedTables tables_;
  std::unique_ptr<SlicedStepper> stepper_;  ///< of an automaton
  SlicedServing serving_;
  BoxCounter boxes_;
};

}  // namespace warploom
