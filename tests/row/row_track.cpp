#include "tests/row/row_track.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "gpu/core/atomic.h"
#include "gpu/core/buffer.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/core/launch.h"
#include "gpu/pictures/grid_picture.h"
#include "gpu/pictures/picture.h"
#include "gpu/tracks/facets/described.h"
#include "gpu/tracks/facets/threads.h"
#include "gpu/tracks/state_pair.h"

namespace warploom {

namespace {

/// Thread i serves cell i.
struct Straight {
  static constexpr const char* key = "straight";
  std::uint32_t n;
  WARPLOOM_HD std::uint32_t cell(std::uint32_t thread) const { return thread; }
};
/// Thread i serves the i-th cell from the end.
struct Backwards {
  static constexpr const char* key = "backwards";
  std::uint32_t n;
  WARPLOOM_HD std::uint32_t cell(std::uint32_t thread) const { return n - 1 - thread; }
};

/// Threads of a pair serve each other's cells; the last one its own where it is alone.
struct Swapped {
  static constexpr const char* key = "swapped";
  std::uint32_t n;
  WARPLOOM_HD std::uint32_t cell(std::uint32_t thread) const { return (thread ^ 1) < n ? thread ^ 1 : thread; }
};

/// A cell becomes the one of its two neighbours that differs from the other: rule 90.
template <class Map>
struct StepRow {
  Map map;
  const std::uint8_t* from;
  std::uint8_t* to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, map.n, [&](std::uint64_t thread) {
      const std::uint32_t i = map.cell(static_cast<std::uint32_t>(thread));
      const int left = i > 0 ? from[i - 1] : 0, right = i + 1 < map.n ? from[i + 1] : 0;
      to[i] = static_cast<std::uint8_t>(left ^ right);
    });
  }
};

struct FillRow {
  std::uint64_t seed;
  std::uint32_t n;
  std::uint8_t* to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, n, [&](std::uint64_t i) { to[i] = chosen(key_hash(seed, i), .5); });
  }
};

struct SealRow {
  std::uint32_t n;
  const std::uint8_t* state;
  std::uint64_t* words;  ///< the seal, and the sum
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, n, [&](std::uint64_t i) {
      if (!state[i]) return;
      atomic_add(words, key_hash(0, i));
      atomic_add(words + 1, 1);
    });
  }
};

struct PaintRow {
  std::uint32_t n;
  const std::uint8_t* state;
  Camera camera;
  PixelTarget target;
  Palette palette;
  bool by_parity;  ///< else by state
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PlaneTiles::each_pixel(group, target, [&](int x, int y) {
      const double u = camera.x + (x + .5 - .5 * target.width) * camera.cells_per_pixel_x,
                   v = camera.y + (y + .5 - .5 * target.height) * camera.cells_per_pixel_y;
      if (!(u >= 0 && v >= 0 && u < n && v < 1)) return palette.ground;
      const auto cell = static_cast<std::uint32_t>(u);
      return palette.at(static_cast<float>(by_parity ? cell % 2 : state[cell]));
    });
  }
};

class AnyRow : public Track {
 public:
  virtual void start(Queue& queue) = 0;
  virtual const std::uint8_t* finished() const = 0;
};

template <class Map>
class RowTrack final : public AnyRow, public Threads, public Described {
 public:
  RowTrack(Queue& queue, const RowSettings& settings, const TrackInfo& info)
      : settings_(settings), map_{settings.n}, states_(queue, settings.n), words_(queue.backend(), 2), row_(*this) {
    info_ = info;
    kernel_ = "row.step";
    extent_ = {settings.n, 1, 1};
    cells_ = settings.n;
    stages_ = {{kernel_, {shape()}, std::uint64_t{2} * settings.n, false}};
    pictures_ = {&row_};
    state_bytes_ = states_.bytes() + words_.bytes();
    offer<Threads>(*this);
    offer<Described>(*this);
  }

  const std::uint8_t* finished() const override { return states_.finished(); }
  std::vector<std::pair<std::string, std::string>> describe(const Selection& selection) const override {
    const std::uint64_t first = std::uint64_t{2} * selection.at.x;
    if (selection.space != pair_space || first >= settings_.n) return {};
    return {{"cells", std::to_string(first) + (first + 1 < settings_.n ? ", " + std::to_string(first + 1) : "")}};
  }
  void start(Queue& queue) override {
    const StatePair::Writer writer(states_, queue, false);
    launch("row.initial", queue, shape(), FillRow{settings_.seed, settings_.n, writer.data()});
    written_ = true;
  }
  void adopt(Queue& queue, const Track& from) override {
    const StatePair::Writer writer(states_, queue, false);
    copy_bytes(queue, writer.data(), dynamic_cast<const AnyRow&>(from).finished(), settings_.n);
    written_ = true;
  }
  void step(Queue& queue) override {
    const StatePair::Writer writer(states_, queue, false);
    launch(kernel_.c_str(), queue, shape(), StepRow<Map>{map_, states_.finished(), writer.data()}, stages_[0].bytes);
    written_ = true;
  }
  void publish(Queue&) override {
    if (written_) states_.flip();
    written_ = false;
  }
  void give_up(Queue&) override { written_ = false; }
  std::optional<Seal> seal(Queue& queue) override {
    words_.zero(queue);
    launch("row.seal", queue, shape(), SealRow{settings_.n, states_.finished(), words_.data()});
    const auto words = words_.download(queue);
    return Seal{words[0], words[1], {}};
  }
  std::optional<Cell> first_difference(Queue& queue, const Track& other) override {
    std::vector<std::uint8_t> mine(settings_.n), theirs(settings_.n);
    download_bytes(queue, mine.data(), states_.finished(), mine.size());
    download_bytes(queue, theirs.data(), dynamic_cast<const AnyRow&>(other).finished(), theirs.size());
    const auto at = std::mismatch(mine.begin(), mine.end(), theirs.begin()).first;
    if (at == mine.end()) return std::nullopt;
    return Cell{static_cast<std::uint32_t>(at - mine.begin()), 0, 0};
  }
  std::vector<DumpArray> dumps(Queue& queue) override {
    std::vector<std::uint8_t> cells(settings_.n);
    download_bytes(queue, cells.data(), states_.finished(), cells.size());
    return {{"state", "|u1", "uint8", {settings_.n}, cells, "state after the last step, 0 or 1"}};
  }

  bool owner(Cell cell, Owner& who) const override {
    if (cell.x >= settings_.n || cell.y || cell.z) return false;
    const std::uint32_t thread = map_.cell(cell.x);  // each of the two is its own inverse
    who = {0, {thread / settings_.block, 0, 0}, 0, {thread % settings_.block, 0, 0}};
    return true;
  }
  std::optional<Target> target(const Owner& who) const override {
    const std::uint32_t thread = who.block.x * settings_.block + who.thread.x;
    const bool useful = thread < settings_.n;
    return Target{{useful ? map_.cell(thread) : thread, 0, 0}, useful};
  }
  std::optional<std::pair<Cell, Cell>> footprint(const Owner& who) const override {
    const std::uint32_t first = who.block.x * settings_.block,
                        last = std::min(first + settings_.block, settings_.n) - 1;
    std::uint32_t low = settings_.n, high = 0;
    for (std::uint32_t thread = first; thread <= last; ++thread) {
      low = std::min(low, map_.cell(thread));
      high = std::max(high, map_.cell(thread));
    }
    return std::pair{Cell{low, 0, 0}, Cell{high + 1, 1, 1}};
  }
  bool launched(const Owner& who) const override {
    return who.launch == 0 && who.turn == 0 && who.block.x < shape().blocks.x && who.thread.x < settings_.block &&
           !who.block.y && !who.block.z && !who.thread.y && !who.thread.z;
  }
  std::uint64_t address(Cell cell) const override { return cell.x; }

 private:
  LaunchShape shape() const {
    return {{(settings_.n + settings_.block - 1) / settings_.block, 1, 1}, {settings_.block, 1, 1}};
  }

  class Row final : public Picture {
   public:
    explicit Row(RowTrack& track)
        : Picture({.key = "row",
                   .title = "Row",
                   .space = Selection::cell,
                   .tall = std::max(1., track.settings_.n / 8.),
                   .colours = {ColourBy::state, parity_colour}}),
          track_(track) {}
    std::array<double, 3> extent(const Looking&) const override { return {double(track_.settings_.n), 1, 1}; }
    std::string caption() const override { return "a row of " + std::to_string(track_.settings_.n) + " cells"; }
    std::uint64_t version(const PictureRequest&) const override { return track_.version(); }
    Selection at(Queue*, const PictureRequest& request, double x, double y) override {
      const Camera& c = request.camera;
      const double u = c.x + (x - .5 * request.target.width) * c.cells_per_pixel_x,
                   v = c.y + (y - .5 * request.target.height) * c.cells_per_pixel_y;
      if (!(u >= 0 && v >= 0 && u < track_.settings_.n && v < 1)) return {};
      return {Selection::cell, {static_cast<std::uint32_t>(u), 0, 0}, 0, {}};
    }
    std::vector<Outline> marks(const Selected& selected, const Looking&) const override {
      if (selected.selection.space == pair_space) {
        const double first = 2. * selected.selection.at.x, n = track_.settings_.n;
        if (first >= n) return {};
        return {{Outline::Kind::place, {first, 0, 0}, {std::min(first + 2, n), 1, 1}, 0, {}}};
      }
      if (!selected.target) return {};
      const double x = selected.target->cell.x;
      return {{selected.target->useful ? Outline::Kind::place : Outline::Kind::waste, {x, 0, 0}, {x + 1, 1, 1}, 0, {}}};
    }
    void paint(Queue& queue, const PictureRequest& request) override {
      const StatePair::Reader reader(track_.states_, queue);
      while (row_pictures_wait) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (row_pictures_fail) throw UsageError("cpu memory: 12 GiB needed, 3 MiB free");
      launch("row.colour", queue, PlaneTiles::shape(request.target),
             PaintRow{track_.settings_.n, reader.data(), request.camera, request.target, request.palette,
                      request.colour_by == parity_colour});
    }

   private:
    RowTrack& track_;
  };

  RowSettings settings_;
  Map map_;
  StatePair states_;
  Buffer<std::uint64_t> words_;
  bool written_ = false;
  Row row_;
};

template <class Map>
TrackInfo row_info(const char* title, const char* description) {
  TrackInfo info;
  info.name = info.map = Map::key;
  info.title = title;
  info.description = description;
  info.citation = "navarro2014triangles";
  return info;
}

}  // namespace

const std::vector<TrackInfo>& row_tracks() {
  static const std::vector<TrackInfo> all{row_info<Straight>("Straight", "thread i serves cell i"),
                                          row_info<Backwards>("Backwards", "thread i serves the i-th from the end"),
                                          row_info<Swapped>("Swapped", "threads of a pair serve each other's cells")};
  return all;
}

std::unique_ptr<Track> make_row_track(Queue& queue, const RowSettings& settings, const std::string& name) {
  if (name == Straight::key) return std::make_unique<RowTrack<Straight>>(queue, settings, row_tracks()[0]);
  if (name == Backwards::key) return std::make_unique<RowTrack<Backwards>>(queue, settings, row_tracks()[1]);
  if (name == Swapped::key) return std::make_unique<RowTrack<Swapped>>(queue, settings, row_tracks()[2]);
  throw UsageError(unknown_message("track", name, {Straight::key, Backwards::key, Swapped::key}));
}

void start_row(Track& track, Queue& queue) { dynamic_cast<AnyRow&>(track).start(queue); }

}  // namespace warploom
