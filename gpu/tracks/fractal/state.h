#pragma once
#include "gpu/maps/map.h"
#include "gpu/pictures/plane_flight.h"
#include "gpu/tracks/cell_states.h"
#include "gpu/tracks/fractal/fractal.h"
#include "gpu/tracks/fractal/pictures.h"
#include "gpu/tracks/plane_pictures.h"
#include "gpu/works/fractal/members.h"
#include "gpu/works/fractal/storage.h"

namespace warploom {

/// The part of a fractal track that knows no map: its state, seals and the picture of its state. Compiled once a
/// storage.
template <class Storage>
class FractalStateTrack : public CellStates<FractalStateTrack<Storage>, CellTrack> {
  using Base = CellStates<FractalStateTrack<Storage>, CellTrack>;
  friend Base;

 public:
  FractalStateTrack(Queue& queue, const FractalSettings& settings, const TrackInfo& info);

  std::optional<Seal> seal(Queue& queue) override;
  std::vector<std::uint8_t> state(Queue& queue) override;
  std::optional<bool> next(bool alive, unsigned around) const override {
    if (settings_.work != "life") return std::nullopt;
    return ((alive ? settings_.rule.survive : settings_.rule.born) >> around & 1) != 0;
  }

  std::uint64_t address(Cell cell) const override { return Storage{nullptr, domain_.extent}.address(cell); }
  std::vector<float> window(Queue& queue, Index3 first, Index3 size) override;
  Index3 block_cells() const override { return blocks().side(); }
  std::optional<std::uint64_t> useful_of_first(Queue& queue, std::uint64_t visits,
                                               Buffer<std::uint64_t>& sums) const override;
  /// The data space by state, and blocks on their way; a map's own colours are its track's.
  void paint_cells(Queue& queue, const PictureRequest& request) override;

 protected:
  using CellTrack::cells_;
  /// Once the stages are known.
  void make_pictures(Queue& queue);

  /// Of the buffers that the thread that steps makes.
  std::uint64_t held() const { return this->cell_bytes() + useful_in_block_.bytes() + seal_words_.bytes(); }
  Storage writable(std::uint8_t* data) const { return {data, domain_.extent}; }
  /// Steps and seals only read through it.
  Storage finished() const { return {const_cast<std::uint8_t*>(this->states_.finished()), domain_.extent}; }

  template <class Value>
  void paint(Queue& queue, const PictureRequest& request, const Value& value) {
    const StatePair::Reader reader(this->states_, queue);
    using Program = FractalPicture<Storage, Value>;
    launch("fractal.colour", queue, PlaneTiles::shape(request.target),
           Program{domain_,
                   {const_cast<std::uint8_t*>(reader.data()), domain_.extent},
                   value,
                   request.camera,
                   request.target,
                   request.palette,
                   sampled_level(domain_, request)});
  }

  FractalSettings settings_;
  FractalDomain domain_;
  Buffer<std::uint64_t> seal_words_;  ///< kept: allocating on a device waits for all its work
  Buffer<std::uint16_t> useful_in_block_;
  /// 1 + the block of cells that each launched block serves; 0: none. The thread that paints, once it is asked for
  /// blocks on their way.
  Buffer<std::uint32_t> served_by_visit_;
  FractalBlocks blocks() const { return {domain_, settings_.block_digits}; }
  bool flies() const override;
  void paint_flight(Queue& queue, const PictureRequest& request);
  /// Cells are shown again: gives back what flights needed.
  void land();

 private:
  // ---- what CellStates asks of it --------------------------------------------------------------------------------
  static constexpr StateKernels kernels{"fractal.initial", "fractal.difference", "fractal.paint", "fractal.window"};
  using Fresh = typename CellTrack::Fresh;
  FractalCells value_cells() const { return {domain_, cells_}; }
  template <class Body>
  void with_state(std::uint8_t* bytes, Body&& body) const {
    body(writable(bytes));
  }
  /// Another track's state in its own storage.
  template <class Body>
  void with_state_of(const Track& other, Body&& body) const {
    auto* bytes = const_cast<std::uint8_t*>(dynamic_cast<const CellTrack&>(other).finished_bytes());
    for_each_type(FractalStorages{}, [&]<class Other>() {
      if (other.info().storage == Other::info.key) body(Other{bytes, domain_.extent});
    });
  }
  template <class Body>
  void with_box(std::uint8_t* bytes, Body&& body) const {
    body(Embedded{bytes, domain_.extent});
  }
  Fresh fresh_of(const Track&) const { return {}; }
  void check_start() const {}
  Cell first_cell(Cell cell) const { return cell; }

  FlightPainter flight_;
  std::optional<PlaneOfCells> data_;
  std::optional<PlaneOfLaunches> launches_picture_;
};

// state.cu: the sources of the maps compile none of it.
#define WARPLOOM_COMPILED_ELSEWHERE(Storage)                               \
  extern template class CellStates<FractalStateTrack<Storage>, CellTrack>; \
  extern template class FractalStateTrack<Storage>;
WARPLOOM_FRACTAL_STORAGES(WARPLOOM_COMPILED_ELSEWHERE)
#undef WARPLOOM_COMPILED_ELSEWHERE

}  // namespace warploom
