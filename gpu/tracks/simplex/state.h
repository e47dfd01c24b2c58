#pragma once
#include <array>
#include <atomic>
#include <mutex>
#include <shared_mutex>

#include "gpu/pictures/volume_morph.h"
#include "gpu/tracks/facets/all.h"
#include "gpu/tracks/simplex/cells.h"
#include "gpu/tracks/simplex/pictures.h"
#include "gpu/tracks/simplex/simplex.h"
#include "gpu/tracks/state_pair.h"
#include "gpu/works/simplex/work.h"

namespace warploom {

/// The part of a simplex track that knows no map: its state, seals, tables and pictures. Compiled once a dimension.
template <int Dimensions>
class SimplexStateTrack : public Track,
                          public Counted,
                          public Threads,
                          public Explained,
                          public Accesses,
                          public MapAlone,
                          public Editable,
                          public Numbers {
 public:
  using Domain = SimplexDomain<Dimensions>;
  using Kind = ValueKind;

  SimplexStateTrack(Queue& queue, const SimplexSettings& settings, const TrackInfo& info);

  Index3 extent() const override { return domain_.extent(); }
  std::uint64_t cells() const override { return domain_.cells(); }
  bool solid() const override { return Dimensions == 3; }
  bool z_up() const override { return domain_.corner; }

  void fill(Queue& queue, std::uint64_t seed, double density) override;
  void load(Queue& queue, std::span<const std::uint8_t> state) override;
  void copy_state(Queue& queue, const Track& from) override;
  void publish(Queue& queue) override;
  void give_up(Queue& queue) override;
  Seal seal(Queue& queue) override;
  std::optional<Cell> first_difference(Queue& queue, const Track& other) override;
  void edit(Queue& queue, std::span<const Cell> cells, std::uint8_t value) override;
  std::vector<std::uint8_t> state(Queue& queue) override;
  std::vector<DumpArray> dumps(Queue& queue) override;

  std::optional<Counts> counts() const override;
  /// Of a sum of a block, where the work makes one.
  std::uint64_t address(Cell cell) const override {
    return value_layout_.address(work_.per_block ? domain_.block_of(cell) : cell) * work_.value_bytes;
  }
  std::vector<float> window(Queue& queue, Index3 first, Index3 size) override;
  float shade(float value) const override { return ValueShade{kind_, work_.per_block, low_, high_}(value); }
  void paint_domain(Queue& queue, const PictureRequest& request) override;
  void paint_launch(Queue& queue, const PictureRequest& request) override;
  Index3 board() const override { return board_.extent; }
  std::optional<Owner> on_board(Index3 at) const override;
  Index3 board_place(const Owner& who) const override { return host_board().place(who); }
  std::optional<Picked> pick(Queue& queue, const PictureRequest& request, bool board, float x, float y) override;
  std::vector<LayoutCounts> totals() const override;
  std::uint32_t value_bytes() const override { return work_.value_bytes; }
  std::vector<WarpAccess> warp(const Owner& who) const override;
  std::vector<std::pair<std::string, double>> numbers(Queue& queue) override;

 protected:
  /// Calls body.operator()<Value>() with the type of the state's values.
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
  LaunchBoard host_board() const {
    LaunchBoard board = board_;
    board.rows = rows_.data();
    return board;
  }
  LaunchBoard device_board() const {
    LaunchBoard board = board_;
    board.rows = device_rows_.data();
    return board;
  }
  /// The threads of a map's blocks, on the host: of `who`'s warp, the cells it serves.
  virtual std::array<std::optional<Cell>, warp_size> warp_cells(const Owner& who) const = 0;
  /// Of the buffers that the thread that steps makes.
  std::uint64_t held() const;
  void make_launch_board(Queue& queue, std::span<const int> turns, std::span<const std::uint64_t> visits);

  SimplexSettings settings_;
  Domain domain_, value_domain_;
  SimplexWork work_;
  Kind kind_ = Kind::none;
  AnyLayout<Dimensions> layout_, value_layout_;
  StatePair states_;
  Buffer<Point<Dimensions>> points_;
  bool flip_pending_ = false, fold_pending_ = false, written_ = false;
  /// What a start state says of itself once it is published.
  struct Fresh {
    std::optional<std::uint64_t> folded;
    bool written = false;
  };
  std::optional<Fresh> fresh_;
  std::optional<std::uint64_t> folded_;
  Buffer<std::uint64_t> sums_, seal_words_, seal_start_;  ///< kept: allocating on a device waits for all its work
  std::atomic<float> low_{0}, high_{1};                   ///< of the state's values

  LaunchBoard board_;
  std::vector<BoardRow> rows_;
  Buffer<BoardRow> device_rows_;

  mutable std::mutex count_mutex_;
  std::optional<Counts> counts_;
  std::vector<LayoutCounts> layout_counts_;
  Buffer<std::uint16_t> useful_;
  Buffer<std::uint32_t> block_of_visit_, visit_of_block_;
  static constexpr std::uint64_t most_pictured_visits = 1u << 28;

 private:
  /// Writes the state that nobody sees, emptied before: body(bytes).
  template <class Body>
  void new_state(Queue& queue, const Fresh& fresh, Body&& body);
  void empty(Queue& queue);
  SimplexTables tables() const;
  SimplexColours<Dimensions> colours(const void* state, ColourBy by) const;
  static std::uint64_t value_elements(const SimplexSettings& settings, const SimplexWork& work, int layout);

  // ---- solids: solid.h ----------------------------------------------------------------------------------------
  /// Which lattice a data space is drawn on: live cells, all cells, or blocks.
  bool cells_shown(ColourBy by) const;
  void build_bits(Queue& queue, bool board, bool cells, bool waste, const StatePair::Reader& state);
  void count_picture_bytes();  ///< the thread that paints, after it changed its buffers
  VolumeView volume_view(const PictureRequest& request, Index3 lattice, bool sliced) const;
  void paint_solid(Queue& queue, const PictureRequest& request, bool board);

  mutable std::shared_mutex bits_mutex_;  ///< pictures and picks share; building is alone
  OccupancyBits cells_bits_, blocks_bits_, board_bits_, board_useful_bits_;
  std::uint64_t cells_serial_ = 0;
  Mark bits_built_;
  bool blocks_built_ = false, board_waste_ = true, board_built_ = false;
  MorphPainter morph_;
  std::unique_ptr<VoxelPicker> picker_;
};

// state_2.cu, state_3.cu, solid_3.cu: the sources of the maps compile none of it.
extern template class SimplexStateTrack<2>;
extern template class SimplexStateTrack<3>;

}  // namespace warploom
