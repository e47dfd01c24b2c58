#pragma once
#include <span>

#include "gpu/maps/map.h"
#include "gpu/pictures/plane_flight.h"
#include "gpu/scenes/fractal/fractal.h"
#include "gpu/scenes/fractal/pictures/pictures.h"
#include "gpu/scenes/fractal/works/list.h"
#include "gpu/scenes/fractal/works/members.h"
#include "gpu/scenes/fractal/works/seal.h"
#include "gpu/scenes/fractal/works/storage.h"
#include "gpu/tracks/cell_states.h"
#include "gpu/tracks/facets/sealed_step.h"
#include "gpu/tracks/facets/storage.h"
#include "gpu/tracks/plane_pictures.h"

namespace warploom {

/// The part of a fractal track that knows no map: its state, seals and the picture of its state. Compiled once a
/// storage.
template <class Storage>
class FractalStateTrack : public CellStates<FractalStateTrack<Storage>, CellTrack>,
                          public SealedStep,
                          public StorageFacet {
  using Base = CellStates<FractalStateTrack<Storage>, CellTrack>;
  friend Base;
  template <class>
  friend class FractalStateTrack;

 public:
  FractalStateTrack(Queue& queue, const FractalSettings& settings, const TrackInfo& info);

  std::optional<Seal> seal(Queue& queue) override;
  void seal_with_step(bool seals) override { seal_with_step_ = seals; }
  std::vector<std::uint8_t> state(Queue& queue) override;
  std::optional<bool> next(bool alive, unsigned around) const override {
    if (settings_.work != "life") return std::nullopt;
    return ((alive ? settings_.rule.survive : settings_.rule.born) >> around & 1) != 0;
  }

  double memory_gain() const override {
    return static_cast<double>(volume(domain_.extent)) / static_cast<double>(this->states_.one_bytes());
  }
  std::uint32_t tile_side() const override { return Storage::tiled ? block_cells().x : 0; }
  std::uint64_t address(Cell cell) const override { return writable(nullptr).address(cell); }
  std::vector<float> window(Queue& queue, Index3 first, Index3 size) override;
  Index3 block_cells() const override { return blocks().side(); }
  std::vector<DumpArray> dumps(Queue& queue) override { return {state_dump(queue)}; }
  std::optional<std::uint64_t> useful_of_first(Queue& queue, std::uint64_t visits,
                                               Buffer<std::uint64_t>& sums) const override;
  /// The data space by state, and blocks on their way; a map's own colours are its track's.
  void paint_cells(Queue& queue, const PictureRequest& request) override;
  /// More cells than a device can go through while a window waits.
  int samples_on_device(const PictureRequest&) const override { return large() ? 16 : 0; }

 protected:
  using CellTrack::cells_;
  /// What a step launches, whose work moves its bytes for each of so many cells, and the pictures of that. `turns` and
  /// `visits`: of persistent blocks, of a track of one launch.
  void make_stage(Queue& queue, std::vector<LaunchShape> launches, std::uint64_t cells, int turns = 1,
                  std::uint64_t visits = 0);
  bool writes_state() const override { return fractal_work(settings_.work).writes_state; }
  /// The logical state, as it is dumped.
  DumpArray state_dump(Queue& queue) {
    check_dump(static_cast<double>(volume(domain_.extent)));
    return {"state",      "|u1",
            "uint8",      {domain_.extent.y, domain_.extent.x},
            state(queue), "logical state after the last step, (y, x), 0 or 1"};
  }
  /// Of more cells than a device goes through while a window waits.
  bool large() const { return cells_ > std::uint64_t{1} << 31; }
  /// Of the buffers that the thread that steps makes.
  std::uint64_t held() const { return this->cell_bytes() + useful_in_block_.bytes() + seals_.bytes(); }
  Storage writable(std::uint8_t* data) const { return Storage::of(domain_, settings_.block_digits, data); }
  /// Steps and seals only read through it.
  Storage readable(const std::uint8_t* data) const { return writable(const_cast<std::uint8_t*>(data)); }
  Storage finished() const { return readable(this->states_.finished()); }

  template <class Value>
  void paint(Queue& queue, const PictureRequest& request, const Value& value) {
    const StatePair::Reader reader(this->states_, queue);
    using Program = FractalPicture<Storage, Value>;
    launch("fractal.colour", queue, PlaneTiles::shape(request.target),
           Program{domain_, readable(reader.data()), value, request.camera, request.target, request.palette,
                   sampled_level(domain_, request)});
  }
  /// The data space by the state, or by who serves its cells.
  template <class Board>
  void paint_by(Queue& queue, const PictureRequest& request, const Board& board) {
    const bool own = request.colour_by == ColourBy::launch_order || request.colour_by == ColourBy::warp;
    if (own || !request.so_far.all())
      paint(queue, request, OwnerValue<Board>{board, own ? request.colour_by : ColourBy::state, request.so_far});
    else
      FractalStateTrack::paint_cells(queue, request);
  }
  template <class Board>
  void paint_board(Queue& queue, const PictureRequest& request, const Board& board) {
    launch("fractal.grid", queue, PlaneTiles::shape(request.target),
           GridPicture<Board>{board, request.camera, request.target, request.palette, request.so_far, request.colour_by,
                              this->board_.visits});
  }

  FractalSettings settings_;
  FractalDomain domain_;
  SealSets seals_;
  bool seal_with_step_ = false;  ///< the step that is to come is sealed at once
  bool seal_is_fused_ = false;   ///< the seal of the written state was added up as it was written
  Buffer<std::uint16_t> useful_in_block_;
  /// 1 + the block of cells that each launched block serves; 0: none. The thread that paints, once it is asked for
  /// blocks on their way.
  Buffer<std::uint32_t> served_by_visit_;
  /// Once counted it stays: whoever reads it need not hold the lock. Empty before.
  std::span<const std::uint16_t> useful_in_block() const {
    const std::lock_guard lock(this->count_mutex_);
    if (!this->counts_) return {};
    return {useful_in_block_.data(), useful_in_block_.size()};
  }
  FractalBlocks blocks() const { return {domain_, settings_.block_digits}; }
  bool flies() const override {
    // A block of the domain is told by a word, in which 0 is none.
    return this->board_.visits <= FlightPainter::most_blocks && blocks().count() < ~std::uint32_t{0} && this->counts();
  }
  void paint_flight(Queue& queue, const PictureRequest& request);
  /// Cells are shown again: gives back what flights needed.
  void land() {
    if (flight_.bytes() == 0) return;
    flight_.release();
    this->picture_bytes_ = served_by_visit_.bytes();
  }

 private:
  // ---- what CellStates asks of it --------------------------------------------------------------------------------
  /// Places of a state as bytes of the box.
  static constexpr std::uint64_t most_exported = std::uint64_t{1} << 33;
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
    for_each_type(FractalStates{}, [&]<class Other>() {
      if (other.info().storage == Other::info.key)
        body(dynamic_cast<const FractalStateTrack<Other>&>(other).finished());
    });
  }
  template <class Body>
  void with_box(std::uint8_t* bytes, Body&& body) const {
    body(Embedded::of(domain_, 0, bytes));
  }
  Fresh fresh_of(const Track&) const { return {}; }
  void check_start() const {}
  Cell first_cell(Cell cell) const { return cell; }

  void forget_written() override { seal_is_fused_ = false; }
  std::uint64_t graph_variant() const override { return seal_with_step_ ? 1 + seals_.number() : 0; }

  FlightPainter flight_;
  std::optional<PlaneOfCells> data_;
  std::optional<PlaneOfLaunches> launches_picture_;
};

// state.cu: the sources of the maps compile none of it.
#define WARPLOOM_COMPILED_ELSEWHERE(Storage)                               \
  extern template class CellStates<FractalStateTrack<Storage>, CellTrack>; \
  extern template class FractalStateTrack<Storage>;
WARPLOOM_FRACTAL_STATES(WARPLOOM_COMPILED_ELSEWHERE)
#undef WARPLOOM_COMPILED_ELSEWHERE

}  // namespace warploom
