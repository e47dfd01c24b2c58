#pragma once
#include <array>
#include <atomic>
#include <cmath>
#include <shared_mutex>

#include "gpu/pictures/plane_flight.h"
#include "gpu/pictures/volume_morph.h"
#include "gpu/scenes/simplex/pictures/pictures.h"
#include "gpu/scenes/simplex/simplex.h"
#include "gpu/scenes/simplex/tracks/cells.h"
#include "gpu/scenes/simplex/works/work.h"
#include "gpu/tracks/cell_states.h"
#include "gpu/tracks/facets/all.h"
#include "gpu/tracks/plane_pictures.h"
#include "gpu/tracks/solid_pictures.h"

namespace warploom {

/// The part of a simplex track that knows no map: state, seals, tables and pictures. Compiled once per dimension.
template <int Dimensions>
class SimplexStateTrack : public CellStates<SimplexStateTrack<Dimensions>, CellTrack>,
                          public Accesses,
                          public MapAlone,
                          public ShapeFacet,
                          public Numbers {
  using Cells = CellStates<SimplexStateTrack, CellTrack>;
  friend Cells;

 public:
  using Domain = SimplexDomain<Dimensions>;
  using Kind = ValueKind;

  SimplexStateTrack(Queue& queue, const SimplexSettings& settings, const TrackInfo& info);

  std::optional<Seal> seal(Queue& queue) override;
  std::vector<std::uint8_t> state(Queue& queue) override {
    std::vector<std::uint8_t> box;
    for (const float value : window(queue, {}, this->extent())) box.push_back(value > 0);
    return box;
  }
  std::optional<bool> next(bool alive, unsigned around) const override {
    if (work_.key != "automaton") return std::nullopt;
    return ((alive ? settings_.rule.survive : settings_.rule.born) >> around & 1) != 0;
  }
  bool neighbour(int x, int y, int z) const override {
    return Dimensions == 3 ? x * x + y * y + z * z == 1 : Editable::neighbour(x, y, z);
  }
  std::vector<DumpArray> dumps(Queue& queue) override;

  /// Of the block's sum, where the work makes one.
  std::uint64_t address(Cell cell) const override {
    return value_layout_.address(work_.per_block ? domain_.block_of(cell) : cell) * work_.value_bytes;
  }
  std::vector<float> window(Queue& queue, Index3 first, Index3 size) override;
  Index3 block_cells() const override { return domain_.block_extent(); }
  ValueRange range() const override { return kind_ == Kind::real ? ValueRange{low_, high_} : ValueRange{}; }
  float shade(float value, const ValueRange& over) const override { return shading(over)(value); }
  Legend state_legend(const ValueRange& over) const override;
  void paint_cells(Queue& queue, const PictureRequest& request) override;
  bool flies() const override {
    return Dimensions == 2 && board_.visits <= FlightPainter::most_blocks && tables().useful;
  }
  void paint_launches(Queue& queue, const PictureRequest& request) override;
  std::optional<std::uint64_t> useful_of_first(Queue& queue, std::uint64_t visits,
                                               Buffer<std::uint64_t>& sums) const override;
  std::vector<LayoutCounts> totals() const override {
    const std::lock_guard lock(count_mutex_);
    return layout_counts_;
  }
  std::uint32_t value_bytes() const override { return work_.value_bytes; }
  std::vector<WarpAccess> warp(const Owner& who) const override;
  std::vector<std::pair<std::string, double>> numbers(Queue& queue) override;
  WorkShape shape() const override;
  std::string measured_as() const override {
    return settings_.kind->key + (" " + std::to_string(settings_.n)) + " " + settings_.work + " " + info_.layout;
  }
  double map_launched(std::uint32_t rho, std::uint32_t gang) const override {
    const std::uint32_t side = (settings_.n + rho - 1) / rho;
    return std::ceil(simplex_number_real(Dimensions, side) / gang);
  }
  double box_launched(std::uint32_t rho, std::uint32_t gang) const override {
    const std::uint32_t side = (settings_.n + rho - 1) / rho;
    return std::ceil(static_cast<double>(side) / gang) * std::pow(side, Dimensions - 1);
  }

 protected:
  using Cells::states_, Cells::sums_, Cells::board_, Cells::counts_, Cells::count_mutex_, Cells::info_, Cells::kernel_,
      Cells::folded_, Cells::picture_bytes_, Cells::state_bytes_, Cells::device_grid;
  using typename Cells::Fresh;

  /// body.operator()<Value>() with the type of the state's values.
  template <class Body>
  void with_value(Body&& body) const {
    if (kind_ == Kind::byte) body.template operator()<std::uint8_t>();
    if (kind_ == Kind::word) body.template operator()<std::uint32_t>();
    if (kind_ == Kind::real) body.template operator()<float>();
  }
  template <class Value>
  const Value* finished() const {
    return reinterpret_cast<const Value*>(states_.finished());
  }
  /// The cells that the warp of `who` serves: lane after lane, each with as many places as it looks at.
  virtual std::vector<std::optional<Cell>> warp_cells(const Owner& who) const = 0;
  bool writes_state() const override { return work_.key != "map_only"; }
  bool sums() const override { return !writes_state() || !work_.odd.empty(); }
  /// Bytes of the buffers that the thread that steps makes.
  std::uint64_t held() const {
    return this->cell_bytes() + points_.bytes() + useful_.bytes() + block_of_visit_.bytes() + visit_of_block_.bytes() +
           seal_words_.bytes() + seal_start_.bytes();
  }
  /// Call once the board is made.
  void make_pictures();

  SimplexSettings settings_;
  CellShares shares_;
  Domain domain_, value_domain_;
  SimplexWork work_;
  Kind kind_ = Kind::none;
  AnyLayout<Dimensions> layout_, value_layout_;
  Buffer<Point<Dimensions>> points_;
  Buffer<std::uint64_t> seal_words_, seal_start_;  ///< kept: allocating on a device waits for all its work
  std::atomic<float> low_{0}, high_{1};            ///< of the state's values

  std::vector<LayoutCounts> layout_counts_;
  Buffer<std::uint16_t> useful_;
  Buffer<std::uint32_t> block_of_visit_, visit_of_block_;
  SimplexCellsServed cells_served_;

 private:
  SimplexTables tables() const {
    // Once counted they stay, so that a picture need not hold the lock.
    const std::lock_guard lock(count_mutex_);
    if (!counts_ || useful_.size() == 0) return {};
    return {useful_.data(), block_of_visit_.data(), visit_of_block_.data(), cells_served_};
  }
  SimplexColours<Dimensions> colours(const void* state, const PictureRequest& request) const;
  /// Over a range; over its own where that is empty.
  ValueShade shading(const ValueRange& over) const {
    const ValueRange ends = over.empty() ? ValueRange{low_, high_} : over;
    return {kind_, work_.per_block, ends.low, ends.high};
  }

  // ---- what CellStates asks of it --------------------------------------------------------------------------------
  static constexpr StateKernels kernels{"simplex.initial", "simplex.difference", "simplex.paint", "simplex.window"};
  SimplexCells<Dimensions> value_cells() const { return {value_domain_}; }
  template <class Body>
  void with_state(std::uint8_t* bytes, Body&& body) const {
    with_value([&]<class Value>() {
      body(SimplexValues<Dimensions, Value>{value_layout_, reinterpret_cast<Value*>(bytes)});
    });
  }
  template <class Body>
  void with_state_of(const Track& track, Body&& body) const {
    const auto& other = dynamic_cast<const SimplexStateTrack&>(track);
    other.with_state(const_cast<std::uint8_t*>(other.states_.finished()), body);
  }
  template <class Body>
  void with_box(std::uint8_t* bytes, Body&& body) const {
    constexpr int box = AnyLayout<Dimensions>::count - 1;
    body(SimplexValues<Dimensions, std::uint8_t>{AnyLayout<Dimensions>(domain_, box), bytes});
  }
  Fresh fresh_of(const Track& track) const { return dynamic_cast<const SimplexStateTrack&>(track).now(); }
  void check_start() const {
    if (!work_.cells_live) throw UsageError("work '" + work_.key + "' takes no start state");
  }
  Cell first_cell(Cell value) const { return work_.per_block ? domain_.first_cell(value) : value; }

  // ---- solids: solid.h ----------------------------------------------------------------------------------------
  /// Whether the data space is drawn cell by cell; else block by block.
  bool cells_shown(ColourBy by) const {
    return !work_.per_block && kind_ != Kind::none && domain_.n <= 1024 &&  // 2^30 bits
           (by == ColourBy::state || by == ColourBy::warp);
  }
  void build_bits(Queue& queue, bool board, bool cells, const SolidView& solid, const SimplexColours<Dimensions>& by,
                  std::uint64_t state_serial);
  void count_picture_bytes() {  ///< call in the thread that paints, after it changed its buffers
    picture_bytes_ =
        cells_bits_.bytes() + blocks_bits_.bytes() + board_bits_.bytes() + board_useful_bits_.bytes() + morph_.bytes();
  }
  const OccupancyBits& bits_of(ColourBy by, bool board) const {
    return board ? board_bits_ : cells_shown(by) ? cells_bits_ : blocks_bits_;
  }
  VolumeView volume_view(const PictureRequest& request, bool board) const;
  void paint_solid(Queue& queue, const PictureRequest& request, bool board);
  std::optional<Picked> pick(Queue& queue, const PictureRequest& request, bool board, float x, float y);
  struct Asked {
    PictureRequest request;
    bool board = false;
    float x = 0, y = 0;
    std::uint64_t bits_builds = 0;
    friend bool operator==(const Asked&, const Asked&) = default;
    /// The mouse rests: at most the bits differ.
    bool same_place(const Asked& other) const {
      return board == other.board && x == other.x && y == other.y && request == other.request;
    }
  };
  /// Under bits_mutex_, with bits that are built; does not wait.
  void ask(Queue& queue, const Asked& asked);
  /// The answer; waits.
  std::optional<Picked> found(const Asked& asked) const;

  mutable std::shared_mutex bits_mutex_;  ///< pictures and picks share; building is alone
  OccupancyBits cells_bits_, blocks_bits_, board_bits_, board_useful_bits_;
  std::uint64_t cells_serial_ = 0;
  DeviceEvent bits_built_;
  bool blocks_built_ = false, board_waste_ = true, board_built_ = false;
  SolidCut board_cut_;  ///< of board_bits_
  MorphPainter morph_;
  FlightPainter flight_;           ///< of planes
  std::uint64_t bits_builds_ = 0;  ///< so far
  std::unique_ptr<VoxelPicker> picker_;
  std::optional<Asked> asked_;  ///< last
  std::optional<Picked> answered_;
  bool waiting_ = false;  ///< for the answer to asked_
  std::unique_ptr<Picture> data_, launches_picture_;
};

// state_2.cu, state_3.cu, solid_3.cu: the sources of the maps compile none of it.
extern template class CellStates<SimplexStateTrack<2>, CellTrack>;
extern template class CellStates<SimplexStateTrack<3>, CellTrack>;
extern template class SimplexStateTrack<2>;
extern template class SimplexStateTrack<3>;

}  // namespace warploom
