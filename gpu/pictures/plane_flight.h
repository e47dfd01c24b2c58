#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gpu/core/atomic.h"
#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"
#include "gpu/pictures/grid_layout.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/pictures/pixel_tiles.h"

// Blocks of a plane on their way from where they are launched to the cells they serve. They lie anywhere and over one
// another, so each is drawn into words of the pixels it covers, and each pixel then shades what it was given.

namespace warploom {

/// Where a block is on its way, in cells. The launch grid lies in the middle of the domain, a thread as large as a
/// cell; a grid that does not fit is made smaller, and one of a few rows is drawn as tall as in its own picture.
struct FlightPath {
  struct Box {
    double left = 0, top = 0, wide = 1, high = 1;
  };
  double scale_x = 1, scale_y = 1;         ///< cells per thread
  double left = 0, top = 0;                ///< of the launch grid
  Index3 threads{1, 1, 1}, side{1, 1, 1};  ///< of a block: as it is launched; the cells it serves
  double morph = 1;                        ///< 0: where it is launched; 1: where it works

  /// `grid`: all launches, in threads, a thread `tall` times as tall as a cell is; `cells`: the domain.
  static FlightPath over(Index3 grid, Index3 cells, Index3 threads, Index3 side, double tall, double morph) {
    const double fits = std::fmin(1., std::fmin(double(cells.x) / grid.x, double(cells.y) / (grid.y * tall)));
    return {fits, fits * tall, (cells.x - fits * grid.x) / 2, (cells.y - fits * tall * grid.y) / 2, threads,
            side, morph};
  }

  /// `at`: its place on the board; `low`: its first cell, where `serves` is set: others stay.
  WARPLOOM_HD Box box(Index3 at, Cell low, bool serves) const {
    const Box from{left + scale_x * at.x * threads.x, top + scale_y * at.y * threads.y, scale_x * threads.x,
                   scale_y * threads.y};
    if (!serves) return from;
    const auto between = [&](double a, double b) { return a + (b - a) * morph; };
    return {between(from.left, low.x), between(from.top, low.y), between(from.wide, side.x),
            between(from.high, side.y)};
  }
};

/// What both passes share. `Blocks`: Cell first_cell(std::uint32_t number) const, of a block of the domain; bool
/// member(Cell) const.
template <class Blocks>
struct Flight {
  static constexpr std::uint64_t nothing = ~std::uint64_t{0}, wasted = std::uint64_t{1} << 63;
  static constexpr std::uint16_t mismapped = 0xffff;

  Blocks blocks;
  GridLayout board;
  const std::uint16_t* useful = nullptr;  ///< threads, by visit; `mismapped`: its map sent it elsewhere
  const std::uint32_t* served = nullptr;  ///< 1 + the domain's block, by visit; 0: none
  FlightPath path = {};
  bool waste = true;  ///< wasted blocks are drawn
  Camera camera = {};
  int width = 0, height = 0;
  /// Blocks smaller than a pixel, or thinner, are summed; of larger ones a pixel shows one. Decided once, by `look`:
  /// rounding must not make two passes of it.
  bool summed = false;

  struct Block {
    FlightPath::Box box;
    std::uint32_t useful = 0;
    bool mismapped = false;
    Cell low;
  };
  /// False: not drawn.
  WARPLOOM_HD bool find(std::uint64_t visit, Block& block) const {
    if (!board.exists(visit)) return false;
    block.mismapped = useful[visit] == mismapped;
    block.useful = block.mismapped ? 0u : useful[visit];
    const bool serves = block.useful > 0 && served[visit];
    if (!serves && !block.mismapped && !waste) return false;
    if (serves) block.low = blocks.first_cell(served[visit] - 1);
    block.box = path.box(board.place(board.visit(visit)), block.low, serves);
    return true;
  }
  void look(const PictureRequest& request) {
    camera = request.camera;
    width = request.target.width;
    height = request.target.height;
    const FlightPath::Box box = path.box({}, {}, true);
    summed = box.wide < camera.cells_per_pixel_x || box.high < camera.cells_per_pixel_y;
  }
  WARPLOOM_HD double pixel_x(double x) const { return (x - camera.x) / camera.cells_per_pixel_x + .5 * width; }
  WARPLOOM_HD double pixel_y(double y) const { return (y - camera.y) / camera.cells_per_pixel_y + .5 * height; }
  WARPLOOM_HD double cell_x(int x) const { return camera.x + (x + .5 - .5 * width) * camera.cells_per_pixel_x; }
  WARPLOOM_HD double cell_y(int y) const { return camera.y + (y + .5 - .5 * height) * camera.cells_per_pixel_y; }

  /// Pixels, from first to before last.
  struct Span {
    std::int64_t first, last;
    WARPLOOM_HD std::int64_t count() const { return last > first ? last - first : 0; }
  };
  /// Those whose middles lie in an interval, but one at least, where its own middle lies; within `most`.
  WARPLOOM_HD static Span span(double low, double high, int most) {
    const double middle = (low + high) / 2;
    // What is far out of the picture need not be told apart, and has to fit an integer.
    const auto limited = [&](double at) { return at < -1 ? -1. : at > most + 1. ? most + 1. : at; };
    const auto first = [&](double at) { return static_cast<std::int64_t>(ceil(limited(at) - .5)); };
    Span found{first(low), first(high)};
    if (found.last <= found.first) {
      found.first = static_cast<std::int64_t>(floor(limited(middle)));
      found.last = found.first + 1;
    }
    if (found.first < 0) found.first = 0;
    if (found.last > most) found.last = most;
    return found;
  }
  WARPLOOM_HD Span columns(const FlightPath::Box& box) const {
    return span(pixel_x(box.left), pixel_x(box.left + box.wide), width);
  }
  WARPLOOM_HD Span rows(const FlightPath::Box& box) const {
    return span(pixel_y(box.top), pixel_y(box.top + box.high), height);
  }

  /// Of a pixel: summed, what its blocks cover of it, their threads, the useful ones, these weighed by their colours,
  /// those that have come, and those mis-mapped; else the block in front.
  struct Words {
    static constexpr std::uint64_t each = 6;
    static constexpr double steps = 1 << 18;  ///< of shares, as whole numbers
    enum { covered, threads, useful, coloured, begun, mismapped };
  };
  WARPLOOM_HD std::uint64_t word(std::int64_t x, std::int64_t y) const {
    return (summed ? Words::each : 1) *
           (static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(width) + static_cast<std::uint64_t>(x));
  }
};

/// Adds each block to the pixels it covers: small ones, a pixel or a line of pixels each.
template <class Blocks>
struct SumFlight {
  Flight<Blocks> flight;
  std::uint64_t count;
  SoFar so_far;
  std::uint64_t* words;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t visit) {
      typename Flight<Blocks>::Block block;
      if (flight.find(visit, block)) sum(visit, block);
    });
  }

 private:
  using Words = typename Flight<Blocks>::Words;

  WARPLOOM_HD void sum(std::uint64_t visit, const typename Flight<Blocks>::Block& block) const {
    const auto columns = flight.columns(block.box), rows = flight.rows(block.box);
    const double wide = block.box.wide / flight.camera.cells_per_pixel_x,
                 high = block.box.high / flight.camera.cells_per_pixel_y;
    const double share_of_pixel = (wide < 1 ? wide : 1) * (high < 1 ? high : 1);
    const auto covered = static_cast<std::uint64_t>(ceil(share_of_pixel * Words::steps));  // one at least
    const std::uint64_t threads = volume(flight.path.threads);
    const auto share =
        static_cast<std::uint64_t>(static_cast<double>(visit) / static_cast<double>(count) * Words::steps);
    const bool begun = so_far.begun(visit, threads);
    for (std::int64_t y = rows.first; y < rows.last; ++y)
      for (std::int64_t x = columns.first; x < columns.last; ++x) {
        std::uint64_t* to = words + flight.word(x, y);
        atomic_add(to + Words::covered, covered);
        atomic_add(to + Words::threads, threads);
        if (begun) atomic_add(to + Words::begun, threads);
        if (block.mismapped) atomic_add(to + Words::mismapped, threads);
        if (!block.useful) continue;
        atomic_add(to + Words::useful, block.useful);
        atomic_add(to + Words::coloured, block.useful * share);
      }
  }
};

/// Lists the blocks that can be seen, for CoverFlight: `list[0]` counts them, `list[1 + i]` is one's visit. What has no
/// room in it is covered at once.
template <class Blocks>
struct ListFlight {
  Flight<Blocks> flight;
  std::uint64_t count, room;
  std::uint64_t* list;
  std::uint64_t* words;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t visit) {
      typename Flight<Blocks>::Block block;
      if (!flight.find(visit, block)) return;
      if (!flight.columns(block.box).count() || !flight.rows(block.box).count()) return;
      const std::uint64_t place = atomic_fetch_add(list, 1);
      if (place < room)
        list[1 + place] = visit;
      else
        cover(flight, words, visit, block, 0, 1);
    });
  }

  /// The pixels of a block, of which each of `sharers` takes some.
  WARPLOOM_HD static void cover(const Flight<Blocks>& flight, std::uint64_t* words, std::uint64_t visit,
                                const typename Flight<Blocks>::Block& block, std::uint64_t sharer,
                                std::uint64_t sharers) {
    const auto columns = flight.columns(block.box), rows = flight.rows(block.box);
    const std::int64_t wide = columns.count(), all = wide * rows.count();
    // Useful blocks lie over wasted ones, earlier over later.
    const std::uint64_t mine = (block.useful || block.mismapped ? 0 : Flight<Blocks>::wasted) | visit;
    for (auto i = static_cast<std::int64_t>(sharer); i < all; i += static_cast<std::int64_t>(sharers))
      rare_atomic_minimum(words + flight.word(columns.first + i % wide, rows.first + i / wide), mine);
  }
};

/// Gives each listed block to the pixels whose middles lie in it. `sharers` threads share a block.
template <class Blocks>
struct CoverFlight {
  Flight<Blocks> flight;
  std::uint64_t room, sharers, threads;
  const std::uint64_t* list;
  std::uint64_t* words;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint64_t listed = (list[0] < room ? list[0] : room) * sharers;
    each_item(group, threads, [&](std::uint64_t thread) {
      for (std::uint64_t i = thread; i < listed; i += threads) {
        const std::uint64_t visit = list[1 + i / sharers];
        typename Flight<Blocks>::Block block;
        if (flight.find(visit, block)) ListFlight<Blocks>::cover(flight, words, visit, block, i % sharers, sharers);
      }
    });
  }
};

/// Shades each pixel by what it was given. Launched with PlaneTiles.
template <class Blocks>
struct ShadeFlight {
  Flight<Blocks> flight;
  std::uint64_t count;
  const std::uint64_t* words;
  PixelTarget target;
  Palette palette;
  ColourBy by = ColourBy::launch_order;
  SoFar so_far;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PlaneTiles::each_pixel(group, target, [&](int x, int y) { return flight.summed ? mean(x, y) : pixel(x, y); });
  }

 private:
  using Words = typename Flight<Blocks>::Words;
  static constexpr Rgba red = rgba(229, 72, 77);
  WARPLOOM_HD Rgba hatched(int x, int y) const { return (x + y) % 6 < 2 ? palette.hatch : palette.waste; }
  WARPLOOM_HD Rgba colour(double share) const {
    return by == ColourBy::launch_order ? palette.at(static_cast<float>(share)) : palette.track;
  }

  WARPLOOM_HD Rgba mean(int x, int y) const {
    const std::uint64_t* own = words + flight.word(x, y);
    const std::uint64_t threads = own[Words::threads], useful = own[Words::useful];
    if (!threads) return palette.ground;
    Rgba whole = own[Words::mismapped] ? red : hatched(x, y);
    if (useful && !own[Words::mismapped]) {
      const double share = static_cast<double>(own[Words::coloured]) / static_cast<double>(useful) / Words::steps;
      whole = mix(palette.waste, colour(share), sqrtf(static_cast<float>(useful) / static_cast<float>(threads)));
    }
    // A pixel that few came to is not full; a root, as in every picture here: little must still be seen.
    const double covers = static_cast<double>(own[Words::covered]) / Words::steps;
    if (covers < 1) whole = mix(palette.ground, whole, sqrtf(static_cast<float>(covers)));
    return mix(SoFar::dimmed(whole, palette.ground), whole,
               static_cast<float>(own[Words::begun]) / static_cast<float>(threads));
  }

  WARPLOOM_HD Rgba pixel(int x, int y) const {
    const std::uint64_t word = words[flight.word(x, y)];
    typename Flight<Blocks>::Block block;
    if (word == Flight<Blocks>::nothing) return palette.ground;
    const std::uint64_t visit = word & ~Flight<Blocks>::wasted, threads = volume(flight.path.threads);
    if (!flight.find(visit, block)) return palette.ground;
    const FlightPath::Box& box = block.box;
    const double right = (flight.cell_x(x) - box.left) / box.wide, down = (flight.cell_y(y) - box.top) / box.high;
    const double wide = box.wide / flight.camera.cells_per_pixel_x, high = box.high / flight.camera.cells_per_pixel_y;
    // As in the launch grid: a gap from four pixels on, filled from below as far as its threads are useful.
    if ((wide >= 4 && right * wide < 1) || (high >= 4 && down * high < 1)) return palette.ground;
    const Rgba own = block.mismapped ? red : colour(static_cast<double>(visit) / static_cast<double>(count));
    const float share = static_cast<float>(block.useful) / static_cast<float>(threads);
    Rgba whole = own;
    if (!block.mismapped)
      whole = high < 4           ? block.useful ? mix(palette.waste, own, sqrtf(share)) : hatched(x, y)
                        : 1 - down < share ? own
                                 : hatched(x, y);
    // On the last part of its way it comes to look like its cells, where they are large enough to be seen.
    const Index3 side = flight.path.side;
    if (block.useful && wide >= 2 * side.x && high >= 2 * side.y) {
      const double arrives = 1 - 3 * (1 - flight.path.morph);
      const Cell cell{block.low.x + within(right, side.x), block.low.y + within(down, side.y), 0};
      whole =
          mix(whole, flight.blocks.member(cell) ? own : palette.ground, static_cast<float>(arrives > 0 ? arrives : 0));
    }
    return so_far.begun(visit, threads) ? whole : SoFar::dimmed(whole, palette.ground);
  }
  WARPLOOM_HD static std::uint32_t within(double share, std::uint32_t side) {
    const auto at = static_cast<std::uint32_t>((share > 0 ? share : 0) * side);
    return at < side ? at : side - 1;
  }
};

/// Paints blocks of a plane on their way; owns the words.
class FlightPainter {
 public:
  /// More blocks are not pictured: 64 MiB of where they go.
  static constexpr std::uint64_t most_blocks = 1u << 24;

  /// In order with the queue's launches. `board` has its rows where the queue works, `flight` all but its camera.
  template <class Blocks>
  void paint(Queue& queue, const char* name, Flight<Blocks> flight, const PictureRequest& request) {
    flight.look(request);
    const std::uint64_t pixels = static_cast<std::uint64_t>(flight.width) * static_cast<std::uint64_t>(flight.height),
                        count = flight.board.visits, words = pixels * (flight.summed ? Flight<Blocks>::Words::each : 1),
                        room = flight.summed ? 0 : std::min(count, most_listed);
    if (words_.size() < words + 1 + room || words_.backend() != queue.backend()) {
      words_ = {};  // first give back, then ask
      words_ = Buffer<std::uint64_t>(queue.backend(), words + 1 + room);
    }
    std::uint64_t* list = words_.data() + words;
    launch("flight.clear", queue, row_shape(words + 1),
           ClearWords{words_.data(), words, flight.summed ? 0 : Flight<Blocks>::nothing, 1}, words * 8);
    if (flight.summed) {
      launch(name, queue, row_shape(count), SumFlight<Blocks>{flight, count, request.so_far, words_.data()}, words * 8);
    } else {
      launch("flight.list", queue, row_shape(count), ListFlight<Blocks>{flight, count, room, list, words_.data()});
      // About 64 pixels a thread: few blocks may fill the picture.
      const FlightPath::Box box = flight.path.box({}, {}, true);
      const double each = std::min(box.wide / flight.camera.cells_per_pixel_x, double(flight.width)) *
                          std::min(box.high / flight.camera.cells_per_pixel_y, double(flight.height));
      std::uint64_t sharers = 1;
      while (sharers < 4096 && double(sharers) * 64 < each) sharers *= 2;
      const std::uint64_t threads = std::min(most_threads, count * sharers);
      launch(name, queue, row_shape(threads), CoverFlight<Blocks>{flight, room, sharers, threads, list, words_.data()},
             words * 8);
    }
    launch("flight.shade", queue, PlaneTiles::shape(request.target),
           ShadeFlight<Blocks>{flight, count, words_.data(), request.target, request.palette, request.colour_by,
                               request.so_far},
           words * 8 + pixels * sizeof(Rgba));
  }

  /// Nothing flies any more.
  void release() { words_ = {}; }
  std::uint64_t bytes() const { return words_.bytes(); }

 private:
  /// As many threads as a large GPU holds at once; as many blocks as a picture has pixels.
  static constexpr std::uint64_t most_threads = 1u << 18, most_listed = 1u << 20;
  Buffer<std::uint64_t> words_;  ///< of the pixels; then the list of blocks
};

}  // namespace warploom
