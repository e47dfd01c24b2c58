#pragma once
// The bodies of SimplexStateTrack but for its solid pictures and what it hands out; included by state_2.cu and
// state_3.cu alone.
#include "gpu/tracks/simplex/state.h"

namespace warploom {

inline int simplex_layout_number(int dimensions, const std::string& key) {
  int number = 0, found = 0;
  const auto look = [&]<class Layout>() {
    if (key == Layout::info.key) found = number;
    ++number;
  };
  if (dimensions == 2)
    for_each_type(SimplexLayouts<2>{}, look);
  else
    for_each_type(SimplexLayouts<3>{}, look);
  return found;
}

template <int Dimensions>
std::uint64_t SimplexStateTrack<Dimensions>::value_elements(const SimplexSettings& settings, const SimplexWork& work,
                                                            int layout) {
  const Domain domain(settings.n, settings.rho, settings.kind->corner);
  if (work.key == "map_only") return 0;
  if (work.per_block) return domain.block_count();
  double elements = 0;
  int number = 0;
  for_each_type(SimplexLayouts<Dimensions>{}, [&]<class Layout>() {
    if (number++ == layout) elements = Layout::elements(domain);
  });
  return static_cast<std::uint64_t>(elements);
}

template <int Dimensions>
SimplexStateTrack<Dimensions>::SimplexStateTrack(Queue& queue, const SimplexSettings& settings, const TrackInfo& info)
    : settings_(settings),
      domain_(settings.n, settings.rho, settings.kind->corner),
      value_domain_(domain_),
      work_(find_simplex_work(*settings.kind, settings.work)),
      layout_(domain_, simplex_layout_number(Dimensions, info.layout)),
      value_layout_(layout_),
      states_(queue, value_elements(settings, work_, layout_.number) * work_.value_bytes, !work_.reads_state),
      sums_(queue.backend(), SumSlots::slots * SumSlots::words_apart),
      seal_words_(queue.backend(), SealSimplex<Dimensions, float>::slots * 4),
      seal_start_(queue.backend(), seal_words_.size()),
      bits_built_(queue.backend()) {
  info_ = info;
  kernel_ = "simplex." + settings.work;
  offer<Counted>(*this);
  offer<Threads>(*this);
  offer<Explained>(*this);
  offer<Accesses>(*this);
  offer<MapAlone>(*this);
  if (work_.cells_live) offer<Editable>(*this);
  if (work_.per_block && work_.kind_real) offer<Numbers>(*this);
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
std::uint64_t SimplexStateTrack<Dimensions>::held() const {
  return states_.bytes() + points_.bytes() + useful_.bytes() + block_of_visit_.bytes() + visit_of_block_.bytes() +
         sums_.bytes() + seal_words_.bytes() + seal_start_.bytes() + device_rows_.bytes();
}

template <int Dimensions>
template <class Body>
void SimplexStateTrack<Dimensions>::new_state(Queue& queue, const Fresh& fresh, Body&& body) {
  fresh_ = fresh;
  // Works of one state start empty, once it is published: what a step did not write shows.
  if (states_.single() && !fresh.written) return;
  const StatePair::Writer writer(states_, queue, false);
  zero_bytes(queue, writer.data(), states_.one_bytes());
  body(writer.data());
  flip_pending_ = true;
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::fill(Queue& queue, std::uint64_t seed, double density) {
  new_state(queue, {}, [&](std::uint8_t* out) {
    with_value([&]<class Value>() {
      launch(
          "simplex.initial", queue, row_shape(value_domain_.cells()),
          FillSimplex<Dimensions, Value>{value_domain_, seed, density, value_layout_, reinterpret_cast<Value*>(out)});
    });
  });
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::load(Queue& queue, std::span<const std::uint8_t> state) {
  if (!work_.cells_live) throw UsageError("work '" + work_.key + "' takes no start state");
  if (state.size() != volume(extent()))
    throw UsageError("a state of " + std::to_string(state.size()) + " cells; the domain's box has " +
                     std::to_string(volume(extent())));
  Buffer<std::uint8_t> box(queue.backend(), state.size());
  box.upload(queue, state);
  constexpr int box_layout = AnyLayout<Dimensions>::count - 1;
  new_state(queue, {}, [&](std::uint8_t* out) {
    launch("simplex.initial", queue, row_shape(cells()),
           CopySimplex<Dimensions, std::uint8_t>{domain_, AnyLayout<Dimensions>(domain_, box_layout), layout_,
                                                 box.data(), out});
  });
  queue.wait();
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::copy_state(Queue& queue, const Track& from) {
  const auto& other = dynamic_cast<const SimplexStateTrack&>(from);
  new_state(queue, {other.folded_, other.written_}, [&](std::uint8_t* out) {
    with_value([&]<class Value>() {
      launch("simplex.initial", queue, row_shape(value_domain_.cells()),
             CopySimplex<Dimensions, Value>{value_domain_, other.value_layout_, value_layout_,
                                            other.template finished<Value>(), reinterpret_cast<Value*>(out)});
    });
  });
  queue.wait();
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::publish(Queue& queue) {
  if (flip_pending_) {
    states_.flip();
    written_ = true;
  }
  flip_pending_ = false;
  if (fresh_) {
    if (states_.single() && !fresh_->written) empty(queue);
    folded_ = fresh_->folded;
    written_ = fresh_->written;
    fresh_.reset();
  }
  if (fold_pending_) {
    std::uint64_t total = 0;
    for (const std::uint64_t word : sums_.download(queue)) total += word;
    folded_ = total;
  }
  fold_pending_ = false;
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::give_up(Queue& queue) {
  flip_pending_ = fold_pending_ = false;
  fresh_.reset();
  // Works of one state write it in place: the first step, half done, leaves nothing.
  if (states_.single() && !written_) empty(queue);
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::empty(Queue& queue) {
  const StatePair::Writer writer(states_, queue, true);
  zero_bytes(queue, writer.data(), states_.one_bytes());
  queue.wait();
}

template <int Dimensions>
Seal SimplexStateTrack<Dimensions>::seal(Queue& queue) {
  Seal seal;
  with_value([&]<class Value>() {
    copy_bytes(queue, seal_words_.data(), seal_start_.data(), seal_words_.bytes());
    launch("simplex.seal", queue, row_shape(value_domain_.cells()),
           SealSimplex<Dimensions, Value>{value_domain_, value_layout_, finished<Value>(), seal_words_.data()},
           value_domain_.cells() * sizeof(Value));
    std::uint64_t least = ~std::uint64_t{0}, most = least;
    const auto all = seal_words_.download(queue);
    for (std::size_t i = 0; i < all.size(); i += 4) {
      seal.hash += all[i];
      seal.sum += all[i + 1];
      least = std::min(least, all[i + 2]);
      most = std::min(most, all[i + 3]);
    }
    low_ = unsorted(least);
    high_ = unsorted(~most);
  });
  seal.folded = folded_;
  return seal;
}

template <int Dimensions>
std::optional<Cell> SimplexStateTrack<Dimensions>::first_difference(Queue& queue, const Track& from) {
  const auto& other = dynamic_cast<const SimplexStateTrack&>(from);
  const std::uint64_t none = ~std::uint64_t{0};
  Buffer<std::uint64_t> first(queue.backend(), 1);
  first.upload(queue, {&none, 1});
  with_value([&]<class Value>() {
    launch("simplex.difference", queue, row_shape(value_domain_.cells()),
           SimplexDifference<Dimensions, Value>{value_domain_, value_layout_, other.value_layout_, finished<Value>(),
                                                other.template finished<Value>(), first.data()});
  });
  const std::uint64_t at = first.download(queue)[0];
  if (at == none) return std::nullopt;
  const Cell cell = cell_of_key<Dimensions>(at);
  return work_.per_block ? domain_.first_cell(cell) : cell;
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::edit(Queue& queue, std::span<const Cell> cells, std::uint8_t value) {
  std::vector<std::uint64_t> keys;
  for (const Cell& cell : cells)
    if (domain_.contains(cell)) keys.push_back(cell_key<Dimensions>(cell));
  if (keys.empty()) return;
  Buffer<std::uint64_t> list(queue.backend(), keys.size());
  list.upload(queue, keys);
  StatePair::Writer writer(states_, queue, true);
  launch("simplex.paint", queue, row_shape(keys.size()),
         WriteSimplexCells<Dimensions, std::uint8_t>{layout_, writer.data(), list.data(), keys.size(), value});
  queue.wait();
}

template <int Dimensions>
std::vector<float> SimplexStateTrack<Dimensions>::window(Queue& queue, Index3 first, Index3 size) {
  std::vector<float> values(volume(size), NAN);
  with_value([&]<class Value>() {
    Buffer<float> gathered(queue.backend(), values.size());
    const StatePair::Reader reader(states_, queue);
    // Of works that sum a block, the blocks of the window.
    const Index3 rho = domain_.block_extent();
    const Index3 low = work_.per_block ? domain_.block_of(first) : first;
    Index3 extent = size;
    if (work_.per_block) {
      const Index3 high = domain_.block_of({first.x + size.x - 1, first.y + size.y - 1, first.z + size.z - 1});
      extent = {high.x - low.x + 1, high.y - low.y + 1, high.z - low.z + 1};
    }
    launch("simplex.window", queue, row_shape(volume(extent)),
           GatherSimplex<Dimensions, Value>{value_domain_, value_layout_, reinterpret_cast<const Value*>(reader.data()),
                                            low, extent, gathered.data()});
    const auto found = gathered.download(queue);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Index3 in = unfold(i, size);
      const Cell cell{first.x + in.x, first.y + in.y, first.z + in.z};
      if (!domain_.contains(cell)) continue;
      const Index3 at =
          work_.per_block ? Index3{cell.x / rho.x - low.x, cell.y / rho.y - low.y, cell.z / rho.z - low.z} : in;
      values[i] = found[linear_index(at, extent)];
    }
  });
  return values;
}

template <int Dimensions>
std::vector<std::uint8_t> SimplexStateTrack<Dimensions>::state(Queue& queue) {
  std::vector<std::uint8_t> box(volume(extent()));
  const auto values = window(queue, {}, extent());
  for (std::size_t i = 0; i < box.size(); ++i) box[i] = values[i] > 0;
  return box;
}

template <int Dimensions>
std::optional<Counts> SimplexStateTrack<Dimensions>::counts() const {
  const std::lock_guard lock(count_mutex_);
  return counts_;
}

template <int Dimensions>
std::vector<LayoutCounts> SimplexStateTrack<Dimensions>::totals() const {
  const std::lock_guard lock(count_mutex_);
  return layout_counts_;
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
void SimplexStateTrack<Dimensions>::make_launch_board(Queue& queue, std::span<const int> turns,
                                                      std::span<const std::uint64_t> visits) {
  rows_ = make_board(launches(), turns, visits, Dimensions == 2, board_);
  device_rows_ = Buffer<BoardRow>(queue.backend(), rows_.size());
  device_rows_.upload(queue, rows_);
}

template <int Dimensions>
std::optional<Owner> SimplexStateTrack<Dimensions>::on_board(Index3 at) const {
  Owner who;
  std::uint64_t visit = 0;
  if (!host_board().at(at, visit, who)) return std::nullopt;
  return who;
}

template <int Dimensions>
SimplexTables SimplexStateTrack<Dimensions>::tables() const {
  // Once counted they stay, so that a picture need not hold the lock.
  const std::lock_guard lock(count_mutex_);
  if (!counts_ || useful_.size() == 0) return {};
  return {useful_.data(), block_of_visit_.data(), visit_of_block_.data()};
}

template <int Dimensions>
SimplexColours<Dimensions> SimplexStateTrack<Dimensions>::colours(const void* state, ColourBy by) const {
  SimplexColours<Dimensions> colours;
  colours.domain = domain_;
  colours.tables = tables();
  colours.visits = std::max<std::uint64_t>(1, board_.visits);
  colours.layout = layout_;
  colours.values = value_layout_;
  colours.elements = std::max(1., simplex_layout_elements(settings_, info_.layout));
  colours.state = state;
  colours.shade = {kind_, work_.per_block, low_, high_};
  colours.by = by;
  return colours;
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::paint_domain(Queue& queue, const PictureRequest& request) {
  if constexpr (Dimensions == 3) {
    paint_solid(queue, request, false);
  } else {
    const StatePair::Reader reader(states_, queue);
    using Shape = BoardPicture<SimplexBoard<2>>;
    launch("simplex.colour", queue, Shape::shape(request.target),
           TrianglePicture{colours(reader.data(), request.colour_by), request.camera, request.target, request.palette,
                           request.samples_per_side});
  }
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::paint_launch(Queue& queue, const PictureRequest& request) {
  if constexpr (Dimensions == 3) {
    paint_solid(queue, request, true);
  } else {
    if (!tables().useful) return;
    using Picture = BoardPicture<SimplexBoard<2>>;
    launch("simplex.grid", queue, Picture::shape(request.target),
           Picture{{device_board(), domain_, tables()}, request.camera, request.target, request.palette});
  }
}

}  // namespace warploom
