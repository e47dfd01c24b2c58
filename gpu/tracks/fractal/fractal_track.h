#pragma once
#include <mutex>

#include "gpu/core/launch.h"
#include "gpu/maps/fractal/list.h"
#include "gpu/tracks/fractal/formula.h"
#include "gpu/tracks/fractal/fractal.h"
#include "gpu/tracks/fractal/pictures.h"
#include "gpu/works/fractal/list.h"
#include "gpu/works/fractal/map_program.h"
#include "gpu/works/fractal/members.h"
#include "gpu/works/fractal/storage.h"

namespace warploom {

/// What the data space shows of a cell, 0..1.
struct StateValue {
  WARPLOOM_HD float operator()(Cell, std::uint8_t state) const { return state; }
  /// Few live cells among many must not look like none.
  WARPLOOM_HD float contrast(float mean) const { return sqrtf(mean); }
};

/// Which block serves it, in launch order.
template <class Map>
struct OrderValue {
  Map map;
  Index3 blocks;
  WARPLOOM_HD float contrast(float mean) const { return mean; }
  WARPLOOM_HD float operator()(Cell cell, std::uint8_t) const {
    Owner who;
    if (!map.owner(cell, who)) return 0;
    return static_cast<float>(static_cast<double>(linear_index(who.block, blocks)) /
                              static_cast<double>(volume(blocks)));
  }
};

/// Which warp of its block serves it.
template <class Map>
struct WarpValue {
  Map map;
  Index3 threads;
  WARPLOOM_HD float contrast(float mean) const { return mean; }
  WARPLOOM_HD float operator()(Cell cell, std::uint8_t) const {
    Owner who;
    if (!map.owner(cell, who)) return 0;
    const auto warps = static_cast<float>((volume(threads) + warp_size - 1) / warp_size);
    return (static_cast<float>(linear_index(who.thread, threads) / warp_size) + .5f) / warps;
  }
};

/// The part of a fractal track that tracks of other maps and storages may look at.
class FractalStateTrack : public Track {
 public:
  virtual const std::uint8_t* finished_bytes() const = 0;

 protected:
  /// Calls body(storage) with the other track's state in its own storage.
  template <class Body>
  static void with_state_of(const Track& other, Index3 extent, Body&& body) {
    auto* bytes = const_cast<std::uint8_t*>(dynamic_cast<const FractalStateTrack&>(other).finished_bytes());
    for_each_type(FractalStorages{}, [&]<class Storage>() {
      if (other.info().storage == Storage::info.key) body(Storage{bytes, extent});
    });
  }
};

/// A fractal track: one map, one storage.
template <class Map, class Storage>
class FractalTrack final : public FractalStateTrack {
 public:
  FractalTrack(Queue& queue, const FractalSettings& settings, const TrackInfo& info)
      : settings_(settings),
        domain_(settings.mask, settings.level),
        table_(Map::table(domain_, settings.block_digits)),
        device_table_(queue.backend(), table_.size()),
        host_map_(domain_, settings.block_digits, table_.data()),
        cells_(domain_.cells()),
        states_(queue, static_cast<std::uint64_t>(Storage::bytes(domain_))),
        sums_(queue.backend(), SumSlots::slots * SumSlots::words_apart),
        seal_words_(queue.backend(), SealState<Storage>::slots * 2) {
    info_ = info;
    kernel_ = "fractal." + settings.work;
    device_table_.upload(queue, table_);
    map_ = Map(domain_, settings.block_digits, device_table_.data());
  }

  std::vector<LaunchShape> launches() const override {
    std::vector<LaunchShape> shapes;
    for (int i = 0; i < map_.launches(); ++i) shapes.push_back(map_.shape(i));
    return shapes;
  }
  Index3 extent() const override { return domain_.extent; }
  const std::uint8_t* finished_bytes() const override { return states_.finished(); }
  std::uint64_t cells() const override { return cells_; }
  std::uint64_t bytes() const override { return states_.bytes() + table_.size() * 4 + useful_in_block_.bytes(); }

  void fill(Queue& queue, std::uint64_t seed, double density) override {
    states_.zero(queue);
    launch("fractal.initial", queue, members_shape(domain_),
           FillRandom<Storage>{domain_, cells_, seed, density, writable(states_.finished_for_setup())});
  }

  void load(Queue& queue, std::span<const std::uint8_t> state) override {
    if (state.size() != volume(domain_.extent))
      throw UsageError("a state of " + std::to_string(state.size()) + " cells; the domain's box has " +
                       std::to_string(volume(domain_.extent)));
    states_.zero(queue);
    Buffer<std::uint8_t> box(queue.backend(), state.size());
    box.upload(queue, state);
    launch("fractal.initial", queue, members_shape(domain_),
           CopyState<Storage, Storage>{
               domain_, cells_, {box.data(), domain_.extent}, writable(states_.finished_for_setup())});
    queue.wait();
  }

  void copy_state(Queue& queue, const Track& from) override {
    with_state_of(from, domain_.extent, [&]<class Other>(const Other& other) {
      launch("fractal.initial", queue, members_shape(domain_),
             CopyState<Other, Storage>{domain_, cells_, other, writable(states_.finished_for_setup())});
    });
    queue.wait();
  }

  void step(Queue& queue) override {
    for_each_type(FractalWorks{}, [&]<class Work>() {
      if (Work::info.key == settings_.work) run<Work>(queue);
    });
  }

  void publish(Queue& queue) override {
    if (flip_pending_) states_.flip();
    flip_pending_ = false;
    if (fold_pending_) {
      std::uint64_t total = 0;
      for (const std::uint64_t word : sums_.download(queue)) total += word;
      folded_ = total;
    }
    fold_pending_ = false;
  }

  void give_up(Queue&) override { flip_pending_ = fold_pending_ = false; }

  Seal seal(Queue& queue) override {
    using Program = SealState<Storage>;
    seal_words_.zero(queue);
    launch("fractal.seal", queue, members_shape(domain_), Program{domain_, cells_, finished(), seal_words_.data()},
           cells_);
    Seal seal;
    const auto all = seal_words_.download(queue);
    for (std::size_t i = 0; i < all.size(); i += 2) {
      seal.hash += all[i];
      seal.sum += all[i + 1];
    }
    return seal;
  }

  std::optional<std::uint64_t> folded() const override { return folded_; }

  std::optional<Cell> first_difference(Queue& queue, const Track& other) override {
    Buffer<std::uint64_t> first(queue.backend(), 1);
    const std::uint64_t none = ~std::uint64_t{0};
    first.upload(queue, {&none, 1});
    with_state_of(other, domain_.extent, [&]<class Other>(const Other& state) {
      launch("fractal.difference", queue, members_shape(domain_),
             FirstDifference<Storage, Other>{domain_, cells_, finished(), state, first.data()});
    });
    const std::uint64_t at = first.download(queue)[0];
    if (at == none) return std::nullopt;
    return Cell{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at >> 32), 0};
  }

  void count(Queue& queue) override {
    using Program = CountProgram<Map, Storage>;
    std::uint64_t blocks = 0;
    for (const auto& shape : launches()) blocks += shape.block_count();
    Buffer<std::uint64_t> counters(queue.backend(), Program::slots * Program::words);
    counters.zero(queue);
    // Past 2^28 blocks the per-block numbers are not kept: half a gigabyte for a picture of pixels.
    Buffer<std::uint16_t> useful(queue.backend(), blocks <= most_pictured_blocks ? blocks : 0);
    std::uint64_t first = 0;
    for (int i = 0; i < map_.launches(); ++i) {
      launch("fractal.count", queue, map_.shape(i),
             Program{map_, finished(), i, first, counters.data(), useful.data()});
      first += map_.shape(i).block_count();
    }
    Counts counts;
    const auto words = counters.download(queue);
    for (std::size_t slot = 0; slot < Program::slots; ++slot) {
      const std::uint64_t* w = words.data() + slot * Program::words;
      counts.useful += w[0];
      counts.warps_full += w[1];
      counts.warps_partial += w[2];
      counts.warps_idle += w[3];
      counts.blocks_useful += w[4];
      counts.sectors += w[5];
    }
    for (const auto& shape : launches()) counts.launched += shape.thread_count();
    counts.launched_stated = Map::launched(domain_, settings_.block_digits);
    counts.useful_stated = cells_;
    counts.blocks = blocks;
    const std::lock_guard lock(count_mutex_);
    useful_in_block_ = std::move(useful);
    counts_ = counts;
  }

  void write_cells(Queue& queue, std::span<const Cell> cells, std::uint8_t value) override {
    std::vector<std::uint64_t> packed;
    for (const Cell& cell : cells)
      if (domain_.contains(cell)) packed.push_back(std::uint64_t{cell.y} << 32 | cell.x);
    if (packed.empty()) return;
    Buffer<std::uint64_t> list(queue.backend(), packed.size());
    list.upload(queue, packed);
    StatePair::Writer writer(states_, queue, true);
    launch("fractal.paint", queue, row_shape(packed.size()),
           WriteCells<Storage>{writable(writer.data()), list.data(), packed.size(), value});
    queue.wait();
  }

  std::vector<std::uint8_t> state(Queue& queue) override {
    std::vector<std::uint8_t> box(volume(domain_.extent));
    if constexpr (std::is_same_v<Storage, Embedded>) {
      download_bytes(queue, box.data(), states_.finished(), box.size());
    } else {
      Buffer<std::uint8_t> plain(queue.backend(), box.size());
      plain.zero(queue);
      launch("fractal.export", queue, members_shape(domain_),
             CopyState<Storage, Embedded>{domain_, cells_, finished(), {plain.data(), domain_.extent}});
      box = plain.download(queue);
    }
    return box;
  }

  std::vector<DumpArray> dumps(Queue& queue) override {
    if (!counts()) count(queue);
    const auto useful = useful_in_block_.download(queue);
    std::vector<std::int32_t> rows;
    std::uint64_t number = 0;
    for (int i = 0; i < host_map_.launches(); ++i) {
      const LaunchShape shape = host_map_.shape(i);
      for (std::uint64_t b = 0; b < shape.block_count(); ++b, ++number) {
        const Index3 at = unfold(b, shape.blocks);
        SoloGroup solo;
        Cell origin;
        const bool serves = number < useful.size() && useful[number] && host_map_.block(solo, i, at, 0, origin);
        rows.insert(rows.end(), {static_cast<std::int32_t>(at.x), static_cast<std::int32_t>(at.y),
                                 serves ? static_cast<std::int32_t>(origin.x) : -1,
                                 serves ? static_cast<std::int32_t>(origin.y) : -1});
      }
    }
    std::vector<DumpArray> arrays;
    arrays.push_back({"state",
                      "|u1",
                      "uint8",
                      {domain_.extent.y, domain_.extent.x},
                      state(queue),
                      "logical state after the last step, (y, x), 0 or 1"});
    arrays.push_back({"map_blocks",
                      "<i4",
                      "int32",
                      {rows.size() / 4, 4},
                      array_bytes(rows),
                      "a row a launched block in launch order: w_x, w_y, x, y of its first cell, or -1, -1 for a waste "
                      "block"});
    return arrays;
  }

  std::optional<Counts> counts() const override {
    const std::lock_guard lock(count_mutex_);
    return counts_;
  }
  bool member(Cell cell) const override { return domain_.contains(cell); }
  bool owner(Cell cell, Owner& who) const override { return host_map_.owner(cell, who); }

  std::optional<Target> target(const Owner& who) const override {
    SoloGroup solo;
    Cell origin;
    if (!host_map_.block(solo, who.launch, who.block, who.turn, origin)) return std::nullopt;
    Target target;
    target.useful = host_map_.thread(origin, who.thread, target.cell);
    return target;
  }

  std::optional<std::pair<Cell, Cell>> footprint(const Owner& who) const override {
    SoloGroup solo;
    Cell low;
    if (!host_map_.block(solo, who.launch, who.block, who.turn, low)) return std::nullopt;
    const Index3 side{domain_.power_x[settings_.block_digits].divisor, domain_.power_y[settings_.block_digits].divisor,
                      1};
    return std::pair{low, Cell{low.x + side.x, low.y + side.y, 1}};
  }

  std::uint64_t address(Cell cell) const override { return Storage{nullptr, domain_.extent}.address(cell); }

  Formula formula(const Owner& who) const override {
    return fractal_formula(domain_, info_, settings_.block_digits, who, target(who));
  }

  std::vector<float> window(Queue& queue, Index3 first, Index3 size) override {
    std::vector<float> values(std::size_t{size.x} * size.y, NAN);
    if (first.x >= domain_.extent.x || first.y >= domain_.extent.y) return values;
    std::vector<std::uint8_t> bytes(values.size());
    const std::uint32_t width = std::min(size.x, domain_.extent.x - first.x),
                        height = std::min(size.y, domain_.extent.y - first.y);
    static_assert(std::is_same_v<Storage, Embedded>, "other storages gather the window by a kernel");
    const StatePair::Reader reader(states_, queue);
    download_rows(queue, bytes.data(), size.x, reader.data() + address(first), domain_.extent.x, width, height);
    for (std::uint32_t y = 0; y < height; ++y)
      for (std::uint32_t x = 0; x < width; ++x)
        if (domain_.contains({first.x + x, first.y + y, 0}))
          values[std::size_t{y} * size.x + x] = bytes[std::size_t{y} * size.x + x];
    return values;
  }

  void paint_domain(Queue& queue, const PictureRequest& request) override {
    const LaunchShape shape = map_.shape(0);
    if (request.colour_by == ColourBy::launch_order)
      paint(queue, request, OrderValue<Map>{map_, shape.blocks});
    else if (request.colour_by == ColourBy::warp)
      paint(queue, request, WarpValue<Map>{map_, shape.threads});
    else
      paint(queue, request, StateValue{});
  }

  void paint_launch(Queue& queue, const PictureRequest& request) override {
    const std::lock_guard lock(count_mutex_);
    if (!counts_ || useful_in_block_.size() == 0) return;
    using Picture = BoardPicture<FractalBoard<Map>>;
    launch("fractal.grid", queue, Picture::shape(request.target),
           Picture{{map_, map_.shape(0), useful_in_block_.data()}, request.camera, request.target, request.palette});
  }

 private:
  static constexpr std::uint64_t most_pictured_blocks = 1u << 28;

  Storage writable(std::uint8_t* data) const { return {data, domain_.extent}; }
  /// Steps and seals only read through it.
  Storage finished() const { return {const_cast<std::uint8_t*>(states_.finished()), domain_.extent}; }

  template <class Work>
  void run(Queue& queue) {
    using At = typename Work::template At<Storage>;
    using Program = MapProgram<Map, At>;
    const auto go = [&](Storage out) {
      const WorkArguments<Storage> arguments{finished(), out, settings_.rule};
      if (Program::folds) sums_.zero(queue);
      for (int i = 0; i < map_.launches(); ++i)
        launch(kernel_.c_str(), queue, map_.shape(i), Program{map_, At(arguments), i, SumSlots{sums_.data()}},
               Work::info.bytes_per_cell * cells_);
    };
    if constexpr (Work::info.writes_state) {
      // Nobody reads this state until it is published, so the lock need not outlast the launch.
      const StatePair::Writer writer(states_, queue, false);
      go(writable(writer.data()));
      flip_pending_ = true;
    } else {
      go(finished());
      fold_pending_ = true;
    }
  }

  template <class Value>
  void paint(Queue& queue, const PictureRequest& request, const Value& value) {
    int leaf = 0;
    // Sampling: the largest boxes of which a pixel still holds the wanted number along its side.
    const double wide = std::max(request.camera.cells_per_pixel_x, request.camera.cells_per_pixel_y);
    while (request.samples_per_side > 0 && leaf < domain_.level &&
           domain_.power_x[leaf + 1].divisor * double(request.samples_per_side) <= wide)
      ++leaf;
    const StatePair::Reader reader(states_, queue);
    using Program = FractalPicture<Storage, Value>;
    launch("fractal.colour", queue, Program::shape(request.target),
           Program{domain_,
                   {const_cast<std::uint8_t*>(reader.data()), domain_.extent},
                   value,
                   request.camera,
                   request.target,
                   request.palette,
                   leaf});
  }

  FractalSettings settings_;
  FractalDomain domain_;
  MapTable table_;
  Buffer<std::uint32_t> device_table_;
  Map map_, host_map_;
  std::uint64_t cells_;
  StatePair states_;
  bool flip_pending_ = false, fold_pending_ = false;
  std::optional<std::uint64_t> folded_;
  Buffer<std::uint64_t> sums_, seal_words_;  ///< kept: allocating on a device waits for all its work
  mutable std::mutex count_mutex_;
  Buffer<std::uint16_t> useful_in_block_;
  std::optional<Counts> counts_;
};

}  // namespace warploom
