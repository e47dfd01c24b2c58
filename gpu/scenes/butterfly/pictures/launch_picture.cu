#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/scenes/butterfly/tracks/track.h"

namespace warploom {

namespace {

/// From so many pixels a thread on its registers are drawn.
constexpr double near_pixels = 24;

ThreadGrid board_of(const ButterflyTrack& track) {
  const LaunchShape& shape = track.launches()[0];
  ThreadGrid board;
  board.size = shape.threads;
  board.count = shape.block_count();
  // Three times as wide as high, about.
  const double wanted = std::sqrt(3. * static_cast<double>(board.count) * board.size.y / board.size.x);
  board.grid.x = static_cast<std::uint32_t>(std::clamp(wanted, 1., static_cast<double>(board.count)));
  board.grid.y = static_cast<std::uint32_t>((board.count + board.grid.x - 1) / board.grid.x);
  board.grid.z = 1;
  board.by_rows = track.holder(0, 0, 0).has_value();
  const auto& last = track.working_in_last_block();
  board.has_last = !last.empty();
  for (std::size_t i = 0; i < last.size(); ++i) board.last[i / 32] |= static_cast<std::uint32_t>(last[i]) << i % 32;
  board.working = board.by_rows ? track.problem().settings.batch : track.counts()->useful;
  return board;
}

/// No grid is drawn flatter than 4 : 1; narrow ones have flatter threads, within reason.
double tallness(const ThreadGrid& board) {
  const double wide = double(board.grid.x) * board.size.x, high = double(board.grid.y) * board.size.y;
  return wide > high ? std::max(1., wide / high / 4) : std::clamp(3 * wide / high, .25, 1.);
}

}  // namespace

ThreadsPicture::ThreadsPicture(ButterflyTrack& track)
    : Picture({.shape = PictureInfo::Shape::plane,
               .key = "launch",
               .title = "Launch grid",
               .space = wire_space,
               .tall = tallness(board_of(track)),
               .colours = {ColourBy::state, ColourBy::launch_order},
               .focuses = true}),
      track_(track) {}

int ThreadsPicture::stage(const PictureRequest& request) const {
  return request.focus.on ? stage_of_wire(request.focus.at, track_.network()).value_or(0) : 0;
}

bool ThreadsPicture::is_near(const PictureRequest& request) const {
  return 1 / request.camera.cells_per_pixel_x >= near_pixels && 1 / request.camera.cells_per_pixel_y >= near_pixels;
}

std::array<double, 3> ThreadsPicture::extent(const Looking&) const {
  const ThreadGrid board = board_of(track_);
  return {double(board.grid.x) * board.size.x, double(board.grid.y) * board.size.y, 1};
}

std::string ThreadsPicture::heading() const {
  const ThreadGrid board = board_of(track_);
  return counted(board.count, "block") + " of " + grouped(volume(board.size)) + " threads";
}

std::string ThreadsPicture::caption() const {
  const auto counts = track_.counts();
  const std::uint64_t idle = counts->launched - counts->useful;
  return idle ? short_count(idle) + " of " + short_count(counts->launched) + " threads idle" : "no thread idle";
}

std::uint64_t ThreadsPicture::version(const PictureRequest& request) const {
  return is_near(request) ? track_.version() : 1;
}

Selection ThreadsPicture::at(Queue*, const PictureRequest& request, double x, double y) {
  const auto place = place_under(request, extent(), x, y);
  if (!place) return {};
  const ThreadGrid board = board_of(track_);
  Holder who;
  const Index3 block{place->x / board.size.x, place->y / board.size.y, 0};
  who.block = board.number(block);
  who.thread = {place->x % board.size.x, place->y % board.size.y, 0};
  if (who.block >= board.count || !board.by_rows) return {};
  // Threads of a plan may hold elements of rows that are not theirs.
  if (!track_.network().tuned && !board.useful(block, who.thread)) return {};
  if (is_near(request)) {
    const PixelsOf pixels(request);
    const double u = pixels.world_x(x) - place->x, v = pixels.world_y(y) - place->y;
    const RegisterLayout all(track_.variant().mapping.p);
    who.item = std::min(all.down - 1, static_cast<int>(v * all.down)) * all.across +
               std::min(all.across - 1, static_cast<int>(u * all.across));
  }
  return track_.held(stage(request), who);
}

std::vector<Outline> ThreadsPicture::marks(const Selected& selected, const Looking&) const {
  const auto who = track_.holder_of(selected.selection);
  if (!who) return {};
  const ThreadGrid board = board_of(track_);
  const std::uint64_t column = who->block % board.grid.x, line = who->block / board.grid.x;
  const double x = static_cast<double>(column) * board.size.x, y = static_cast<double>(line) * board.size.y;
  std::vector<Outline> all{{Outline::Kind::block, {x, y, 0}, {x + board.size.x, y + board.size.y, 1}, 0, {}}};
  const double tx = x + who->thread.x, ty = y + who->thread.y;
  all.push_back({Outline::Kind::place, {tx, ty, 0}, {tx + 1, ty + 1, 1}, 0, {}});
  const RegisterLayout registers(track_.variant().mapping.p);
  const int item_column = who->item % registers.across, item_line = who->item / registers.across;
  const double wide = 1. / registers.across, high = 1. / registers.down, rx = tx + item_column * wide,
               ry = ty + item_line * high;
  if (registers.across > 1)
    all.push_back({Outline::Kind::place, {rx, ry, 0}, {rx + wide, ry + high, 1}, near_pixels, {}});
  return all;
}

Legend ThreadsPicture::legend(const PictureRequest& request) const {
  if (is_near(request) && track_.tells_stages())
    return {track_.step_shape().numpy[1] == 'c' ? "-60 dB" : "0", "largest", false, .06f};
  if (request.colour_by == ColourBy::launch_order) return {"block 0", grouped(board_of(track_).count - 1)};
  return {};
}

std::vector<PictureLabel> ThreadsPicture::labels(const PictureRequest& request) const {
  const Camera& camera = request.camera;
  constexpr double least_wide = 44, least_high = 30;  // pixels, that two words have room
  if (1 / camera.cells_per_pixel_x < least_wide || 1 / camera.cells_per_pixel_y < least_high) return {};
  const ThreadGrid board = board_of(track_);
  const auto sides = extent();
  const auto place = [](double at, double most) { return static_cast<std::uint32_t>(std::clamp(at, 0., most)); };
  const double wide = .5 * request.target.width * camera.cells_per_pixel_x,
               high = .5 * request.target.height * camera.cells_per_pixel_y;
  const std::uint32_t left = place(std::floor(camera.x - wide), sides[0]),
                      right = place(std::ceil(camera.x + wide), sides[0]),
                      top = place(std::floor(camera.y - high), sides[1]),
                      bottom = place(std::ceil(camera.y + high), sides[1]);
  std::vector<PictureLabel> all;
  int row = 0;
  for (std::uint32_t v = top; v < bottom; ++v)
    for (std::uint32_t u = left; u < right; ++u) {
      const double x = u, y = v;
      const Index3 block{u / board.size.x, v / board.size.y, 0}, thread{u % board.size.x, v % board.size.y, 0};
      if (board.number(block) >= board.count) continue;
      const auto index = linear_index(thread, board.size);
      // Which thread, above; its warp and lane, below.
      std::string own = std::to_string(thread.x), lane("w");  // += alone: GCC 12 sees an overlap in +
      own += ',';
      own += std::to_string(thread.y);
      lane += std::to_string(index / warp_size);
      lane += " l";
      lane += std::to_string(index % warp_size);
      all.push_back({{x, y}, {x + 1, y + .45}, {own}, row++});
      all.push_back({{x, y + .55}, {x + 1, y + 1}, {lane}, row++});
    }
  return all;
}

void ThreadsPicture::paint(Queue& queue, const PictureRequest& request) {
  const ThreadGrid board = board_of(track_);
  if (!is_near(request)) {
    launch("butterfly.colour", queue, PlaneTiles::shape(request.target),
           GridPicture<ThreadGrid>{board, request.camera, request.target, request.palette, request.so_far,
                                   request.colour_by, board.count});
    return;
  }
  const int p = board.by_rows ? track_.variant().mapping.p : 0;
  const auto staged = board.by_rows ? track_.staged(queue, track_.problem_shown()) : nullptr;
  if (staged) {
    const int now = stage(request);
    const std::size_t elements = std::size_t{1} << track_.variant().mapping.n;
    std::vector<float> shades(elements);
    for (std::uint32_t e = 0; e < elements; ++e)
      if (const auto who = track_.holder(now, 0, e))
        shades[(std::size_t{who->thread.x} << p) + static_cast<std::size_t>(who->item)] =
            staged->shades[static_cast<std::size_t>(now) * elements + e];
    shades_.assign(queue, shades);
  }
  paint_pixels(queue, request,
               PaintRegisters{board, track_.problem_shown(), staged ? shades_.data() : nullptr, p, request.so_far,
                              PixelsOf(request), request.palette});
}

}  // namespace warploom
