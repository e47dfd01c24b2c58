#pragma once
// The bodies of SimplexStateTrack, without solid pictures; included only by state_2.cu and state_3.cu.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "gpu/own/registry.h"
#include "gpu/scenes/simplex/tracks/state.h"
#include "gpu/tracks/sum_over.h"

namespace warploom {

template <int Dimensions>
int simplex_layout_number(const std::string& key) {
  int number = 0, found = 0;
  for_each_type(SimplexLayouts<Dimensions>{}, [&]<class Layout>() {
    if (key == Layout::info.key) found = number;
    ++number;
  });
  return found;
}

template <int Dimensions>
SimplexStateTrack<Dimensions>::SimplexStateTrack(Queue& queue, const SimplexSettings& settings, const TrackInfo& info)
    : Cells(queue,
            static_cast<std::uint64_t>(simplex_values(settings, info.layout)) *
                find_simplex_work(*settings.kind, settings.work).value_bytes,
            !find_simplex_work(*settings.kind, settings.work).reads_state),
      settings_(settings),
      shares_(simplex_shares(settings, info)),
      domain_(settings.n, settings.rho, settings.kind->corner),
      value_domain_(domain_),
      work_(find_simplex_work(*settings.kind, settings.work)),
      layout_(domain_, simplex_layout_number<Dimensions>(info.layout)),
      value_layout_(layout_),
      seal_words_(queue.backend(), SealWords::slots * SealWords::each),
      seal_start_(queue.backend(), seal_words_.size()),
      bits_built_(queue.backend()) {
  info_ = info;
  kernel_ = "simplex." + settings.work;
  this->extent_ = domain_.extent();
  this->dimensions_ = Dimensions;
  this->cells_ = domain_.cells();
  this->template offer<Accesses>(*this);
  if (!names_own(info.name)) {
    // Its own program has one work, and one shape.
    this->template offer<MapAlone>(*this);
    this->template offer<ShapeFacet>(*this);
  }
  if (work_.cells_live) this->template offer<Editable>(*this);
  this->template offer<Numbers>(*this);
  if (work_.per_block) {
    value_domain_ = Domain(domain_.blocks, 1, domain_.corner);
    value_layout_ = AnyLayout<Dimensions>(value_domain_, 0);
  }
  if (states_.bytes()) kind_ = work_.cells_live ? Kind::byte : work_.kind_real ? Kind::real : Kind::word;
  std::vector<std::uint64_t> start(seal_words_.size());
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = i % 4 < 2 ? 0 : ~std::uint64_t{0};
  seal_start_.upload(queue, start);
  if (settings.points) {
    std::vector<Point<Dimensions>> points(settings.points->count());
    const float* from = settings.points->coordinates.data();
    for (auto& point : points) {
      point.x = *from++;
      point.y = *from++;
      if constexpr (Dimensions == 3) point.z = *from++;
    }
    points_ = Buffer<Point<Dimensions>>(queue.backend(), points.size());
    points_.upload(queue, points);
  }
  picker_ = std::make_unique<VoxelPicker>(queue.backend());
  state_bytes_ = held();
}

template <int Dimensions>
std::optional<Seal> SimplexStateTrack<Dimensions>::seal(Queue& queue) {
  Seal seal;
  with_value([&]<class Value>() {
    copy_bytes(queue, seal_words_.data(), seal_start_.data(), seal_words_.bytes());
    using OfMemory = SealOfMemory<Dimensions, Value>;
    const std::uint64_t bytes = value_domain_.cells() * sizeof(Value);
    const std::string layout = work_.per_block ? "linear" : info_.layout;
    const SealSimplex<Dimensions, Value> program{value_domain_,
                                                 value_layout_,
                                                 finished<Value>(),
                                                 seal_words_.data(),
                                                 SealSimplex<Dimensions, Value>::usual_run(queue.backend()),
                                                 layout != "blocked"};
    if (queue.backend() == Backend::cuda && OfMemory::serves(layout, value_domain_.rho.divisor)) {
      const auto elements = static_cast<std::uint64_t>(simplex_layout_elements(settings_, layout));
      const OfMemory of_memory{value_domain_, finished<Value>(), seal_words_.data(), elements, layout == "blocked"};
      launch("simplex.seal", queue, row_shape(of_memory.items()), of_memory, bytes);
    } else if (queue.backend() == Backend::cpu && SealOfBlocks<Dimensions, Value>::serves(layout)) {
      const SealOfBlocks<Dimensions, Value> of_blocks{value_domain_, finished<Value>(), seal_words_.data()};
      launch("simplex.seal", queue, of_blocks.shape(), of_blocks, bytes);
    } else {
      launch("simplex.seal", queue, row_shape(program.items()), program, bytes);
    }
    std::uint64_t least = ~std::uint64_t{0}, most = least;
    const auto all = seal_words_.download(queue);
    for (std::size_t i = 0; i < all.size(); i += 4) {
      seal.hash += all[i];
      seal.sum += all[i + 1];
      least = std::min(least, all[i + 2]);
      most = std::min(most, all[i + 3]);
    }
    if constexpr (std::is_same_v<Value, float>) {
      low_ = unsorted(least);
      high_ = unsorted(~most);
    }
  });
  seal.folded = folded_;
  return seal;
}

template <int Dimensions>
std::vector<float> SimplexStateTrack<Dimensions>::window(Queue& queue, Index3 first, Index3 size) {
  std::vector<float> values(volume(size), NAN);
  if (kind_ == Kind::none) return values;
  if (!work_.per_block) return this->gathered(queue, first, size);
  // Works that sum a block: gathers the blocks of the window.
  const Index3 rho = domain_.block_extent(), low = domain_.block_of(first),
               high = domain_.block_of({first.x + size.x - 1, first.y + size.y - 1, first.z + size.z - 1});
  const Index3 blocks{high.x - low.x + 1, high.y - low.y + 1, high.z - low.z + 1};
  const auto sums = this->gathered(queue, low, blocks);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Index3 in = unfold(i, size);
    const Cell cell{first.x + in.x, first.y + in.y, first.z + in.z};
    if (domain_.contains(cell))
      values[i] = sums[linear_index({cell.x / rho.x - low.x, cell.y / rho.y - low.y, cell.z / rho.z - low.z}, blocks)];
  }
  return values;
}

template <int Dimensions>
std::vector<WarpAccess> SimplexStateTrack<Dimensions>::warp(const Owner& who) const {
  const auto cells = warp_cells(who);
  std::vector<WarpAccess> all;
  int number = 0;
  for_each_type(SimplexLayouts<Dimensions>{}, [&]<class Layout>() {
    WarpAccess access{Layout::info.key, info_.layout == Layout::info.key, {}};
    for (const auto& cell : cells)
      access.bytes.push_back(cell ? std::optional(layout_.address_in(number, *cell) * work_.value_bytes)
                                  : std::nullopt);
    all.push_back(std::move(access));
    ++number;
  });
  return all;
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::make_pictures() {
  std::vector<ColourBy> colours{ColourBy::state, ColourBy::launch_order, ColourBy::layer,
                                ColourBy::waste, ColourBy::address,      ColourBy::warp};
  if constexpr (Dimensions == 3) {
    const PickSolid picked = [this](Queue& queue, const PictureRequest& request, bool launches, float x, float y) {
      return pick(queue, request, launches, x, y);
    };
    data_ = std::make_unique<SolidPicture>(*this, picked, false, domain_.corner, colours);
    launches_picture_ = std::make_unique<SolidPicture>(*this, picked, true, domain_.corner, colours);
  } else {
    data_ = std::make_unique<PlaneOfCells>(*this, 1, std::move(colours), true);
    launches_picture_ = std::make_unique<PlaneOfLaunches>(*this);
  }
  this->pictures_ = {data_.get(), launches_picture_.get()};
}

template <int Dimensions>
std::optional<std::uint64_t> SimplexStateTrack<Dimensions>::useful_of_first(Queue& queue, std::uint64_t visits,
                                                                            Buffer<std::uint64_t>& sums) const {
  const std::uint16_t* useful = tables().useful;
  if (!useful || visits > useful_.size()) return std::nullopt;
  return sum_over("tracks.so_far", queue, visits, UsefulOfBlock{useful}, sums);
}

template <int Dimensions>
Legend SimplexStateTrack<Dimensions>::state_legend(const ValueRange& over) const {
  if (kind_ == Kind::none) return {};
  // In a solid only live cells are drawn, by height.
  if (kind_ == Kind::byte && Dimensions == 3)
    return {"alive: z = 0", std::to_string(domain_.n - 1), false, DomainCellsLook::lowest};
  if (kind_ == Kind::byte) return {"dead", "alive", true};
  if (kind_ == Kind::word) return {"not written", "written", true};
  const ValueRange ends = over.empty() ? range() : over;
  const auto text = [](float value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.3g", static_cast<double>(value));
    return std::string(digits);
  };
  return {text(ends.low), text(ends.high)};
}

template <int Dimensions>
SimplexColours<Dimensions> SimplexStateTrack<Dimensions>::colours(const void* state,
                                                                  const PictureRequest& request) const {
  const auto visits = std::max<std::uint64_t>(1, board_.visits);
  const double elements = std::max(1., simplex_layout_elements(settings_, info_.layout));
  return {domain_,
          shares_,
          tables(),
          visits,
          layout_,
          value_layout_,
          elements,
          state,
          shading(request.values),
          request.colour_by,
          request.so_far};
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::paint_cells(Queue& queue, const PictureRequest& request) {
  if constexpr (Dimensions == 3) {
    paint_solid(queue, request, false);
  } else if (request.solid.morph < 1 && flies()) {
    const SimplexTables known = tables();
    Flight<TriangleBlocks> flight{{domain_}, device_grid(), known.useful, known.block_of_visit};
    flight.path = static_cast<const PlaneOfCells&>(*data_).path(request.solid.morph);
    flight.waste = request.solid.waste;
    flight_.paint(queue, "simplex.flight", flight, request);
    picture_bytes_ = flight_.bytes();
  } else {
    if (flight_.bytes()) flight_.release(), picture_bytes_ = 0;
    const StatePair::Reader reader(states_, queue);
    launch("simplex.colour", queue, PlaneTiles::shape(request.target),
           TrianglePicture{colours(reader.data(), request), request.camera, request.target, request.palette,
                           request.samples_per_side});
  }
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::paint_launches(Queue& queue, const PictureRequest& request) {
  if constexpr (Dimensions == 3) {
    paint_solid(queue, request, true);
  } else {
    if (!tables().useful) return;
    using Program = GridPicture<SimplexGrid<2>>;
    launch("simplex.grid", queue, PlaneTiles::shape(request.target),
           Program{{device_grid(), domain_, shares_, tables()},
                   request.camera,
                   request.target,
                   request.palette,
                   request.so_far,
                   request.colour_by,
                   board_.visits});
  }
}

template <int Dimensions>
std::vector<DumpArray> SimplexStateTrack<Dimensions>::dumps(Queue& queue) {
  const Index3 box = this->extent();
  const std::uint64_t places = volume(box);
  check_dump(4. * static_cast<double>(places));
  std::vector<std::uint64_t> shape{box.y, box.x};
  if (Dimensions == 3) shape.insert(shape.begin(), box.z);
  const std::string axes = Dimensions == 3 ? "(z, y, x)" : "(y, x)";
  std::vector<std::int32_t> owners(places, -1);
  const GridLayout board = this->board();
  for (std::uint64_t i = 0; i < places; ++i) {
    Owner who;
    if (!this->owner(unfold(i, box), who)) continue;
    // In an inexact map, only owners that really come.
    const auto to = info_.exact ? std::nullopt : this->target(who);
    if (!info_.exact && !(to && to->useful && to->cell == unfold(i, box))) continue;
    std::uint64_t first = 0;
    for (int launch = 0; launch < who.launch; ++launch) first += volume(board.rows[launch].blocks);
    owners[i] = static_cast<std::int32_t>(first + linear_index(who.block, board.rows[who.launch].blocks));
  }
  std::vector<DumpArray> arrays;
  arrays.push_back(
      {"owner", "<i4", "int32", shape, array_bytes(owners),
       "linear number of the launched block that serves the cell, in launch order, " + axes + ", -1 outside"});
  if (states_.bytes())
    arrays.push_back(
        {"values", "<f4", "float32", shape, array_bytes(window(queue, {}, box)),
         (work_.per_block ? "sum of the cell's block, " : "value of the cell, ") + axes + ", not a number outside"});
  return arrays;
}

template <int Dimensions>
WorkShape SimplexStateTrack<Dimensions>::shape() const {
  WorkShape shape{settings_.rho, shares_.box, shares_.sector, shares_.gang};
  double blocks = 0;
  for (const LaunchShape& launch : this->launches()) {
    const Index3& grid = launch.blocks;
    blocks += static_cast<double>(launch.block_count());
    shape.launched += std::ceil(static_cast<double>(grid.x) / launch.gang) * grid.y * grid.z;
  }
  shape.persistent = static_cast<double>(board_.visits) > blocks;
  shape.bytes = static_cast<double>(work_.bytes_per_cell) * static_cast<double>(domain_.cells());
  return shape;
}

template <int Dimensions>
std::vector<std::pair<std::string, double>> SimplexStateTrack<Dimensions>::numbers(Queue& queue) {
  std::vector<std::pair<std::string, double>> all{
      {"coarsen_x", shares_.box.x}, {"coarsen_y", shares_.box.y}, {"coarsen_z", shares_.box.z}, {"gang", shares_.gang}};
  if (!work_.per_block || !work_.kind_real) return all;
  // In double and in linear order of blocks: the same under every map.
  std::vector<float> sums(value_domain_.cells());
  download_bytes(queue, sums.data(), states_.finished(), sums.size() * sizeof(float));
  double total = 0;
  for (const float sum : sums) total += static_cast<double>(sum);
  all.emplace_back("energy", total);
  // Energies of nearly coincident points exceed a float.
  const auto lost = std::count_if(sums.begin(), sums.end(), [](float sum) { return !std::isfinite(sum); });
  if (lost) all.emplace_back("blocks_not_finite", static_cast<double>(lost));
  return all;
}

}  // namespace warploom
