// Blocks by time: who works, waits, and looks in vain.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>

#include "gpu/core/format.h"
#include "gpu/pictures/keyed_picture.h"
#include "gpu/pictures/plane.h"
#include "gpu/pictures/plane_layout.h"
#include "gpu/scenes/irregular/pictures/tasks_colours.h"
#include "gpu/scenes/irregular/pictures/tasks_parts.h"
#include "gpu/scenes/irregular/tracks/tasks_track.h"

namespace warploom {

namespace {

/// A turn as it is painted; in microseconds.
struct PaintedTurn {
  double start, end;
  std::uint32_t kind, worker;
  float shade;         ///< of its generation
  std::uint32_t path;  ///< 1: on the critical path
};

struct PaintChart {
  const PaintedTurn* turns;
  const std::uint64_t* first;  ///< (blocks + 1)
  const std::uint8_t* arcs;    ///< (height, width): where a steal is drawn; null: none is
  std::uint32_t blocks;
  double makespan, bound, greedy;
  bool by_worker;
  PlaneScale scale;

  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    const Rgba ground = pixel.palette.ground, line = task_colours::line_on(ground);
    const double left = scale.x(pixel.px), right = scale.x(pixel.px + 1.);
    if (pixel.y < 0 || pixel.y >= blocks || right <= 0 || left >= makespan) return ground;
    const Rgba colour = of_block(pixel, left, right);
    if (greedy >= left && greedy < right && pixel.py % 8 < 4) return line;
    if (bound >= left && bound < right) return line;
    const bool arc = arcs && arcs[static_cast<std::int64_t>(pixel.py) * scale.width + pixel.px];
    return arc ? mix(colour, line, .5f) : colour;
  }

 private:
  WARPLOOM_HD Rgba of_block(const PlanePixel& pixel, double left, double right) const {
    const Palette& palette = pixel.palette;
    const auto block = static_cast<std::uint32_t>(pixel.y);
    const double high = 1 / scale.camera.cells_per_pixel_y, down = pixel.py + .5 - scale.pixel_y(block);
    // Blocks are parted where they are high enough.
    if (high >= 4 && down < 1) return palette.ground;
    std::uint64_t low = first[block], end = first[block + 1];
    for (std::uint64_t count = end - low; count > 0;) {  // the first turn that ends behind the pixel's left
      const std::uint64_t half = count / 2;
      if (turns[low + half].end <= left) {
        low += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    // The mean of what lies in the pixel, of its first turns where there are very many.
    float red = 0, green = 0, blue = 0, sum = 0;
    bool path = false;
    for (std::uint64_t i = low; i < end && i < low + 64 && turns[i].start < right; ++i) {
      const PaintedTurn& turn = turns[i];
      const auto share =
          static_cast<float>((turn.end < right ? turn.end : right) - (turn.start > left ? turn.start : left));
      const Rgba colour = of_turn(turn, pixel);
      red += share * static_cast<float>(colour & 255);
      green += share * static_cast<float>(colour >> 8 & 255);
      blue += share * static_cast<float>(colour >> 16 & 255);
      sum += share;
      path = path || (turn.path && on_edge(turn, left, right, down, high));
    }
    if (path) return task_colours::line_on(palette.ground);
    const auto all = static_cast<float>(right - left);
    if (!(sum > 0)) return palette.ground;
    const auto whole = [&](float value) { return static_cast<unsigned>(lroundf(value / sum)); };
    return mix(palette.ground, rgba(whole(red), whole(green), whole(blue)), sum < all ? sum / all : 1);
  }
  WARPLOOM_HD Rgba of_turn(const PaintedTurn& turn, const PlanePixel& pixel) const {
    const Palette& palette = pixel.palette;
    switch (turn.kind) {
      case TaskTurn::work:
        return by_worker ? task_colours::category(turn.worker) : palette.at(turn.shade);
      case TaskTurn::queue:
        return task_colours::queue;
      case TaskTurn::wait:
        return pixel.on_hatch() ? Rgba{task_colours::wait} : palette.waste;
      case TaskTurn::vain:
        return (pixel.px - pixel.py + 6000) % 6 < 2 ? palette.hatch : palette.waste;
      default:
        return task_colours::launch;
    }
  }
  /// At the border of its box.
  WARPLOOM_HD bool on_edge(const PaintedTurn& turn, double left, double right, double down, double high) const {
    return turn.start >= left || turn.end <= right || (high >= 6 && (down < 2 || down >= high - 1));
  }
};

/// With so many digits behind the point.
std::string chart_number(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

class TaskChartPicture final : public Picture, public KeyedPicture, public PlaneLayout {
 public:
  explicit TaskChartPicture(TasksTrack& track)
      : Picture({.shape = PictureInfo::Shape::plane,
                 .key = "chart",
                 .title = "Chart",
                 .space = task_space,
                 .also = block_time_space,
                 .fills = true,
                 .colours = {task_colours::generation, task_colours::worker},
                 .sampled = false}),
        track_(track) {}

  std::array<double, 3> extent(const Looking&) const override {
    const auto chart = track_.chart();
    if (!chart) return {1, 1, 1};
    return {std::max(1., microseconds(chart->schedule.makespan)), double(chart->schedule.blocks), 1};
  }

  std::string caption() const override {
    const auto chart = track_.chart();
    if (!chart) return "making the chart \u2026";
    const TaskSchedule& schedule = chart->schedule;
    if (!schedule.missing.empty()) return "no chart: " + schedule.missing;
    const double times = static_cast<double>(schedule.makespan) / schedule.bound(chart->tree());
    // Short, so that it is said in narrow panes, too.
    return (schedule.measured ? "MEASURED \u00b7 " : "MODELLED \u00b7 ") + chart_number(times, 2) + "\u00d7" +
           (arcs_left_out_ ? ", steals not drawn" : "");
  }

  std::uint64_t version(const PictureRequest&) const override { return track_.version(); }

  std::vector<Kind> kinds(const PictureRequest& request) const override {
    const auto chart = track_.chart();
    if (!chart) return {};
    const std::array<bool, 5>& there = chart->kinds;
    const Palette& palette = request.palette;
    std::vector<Kind> all;
    if (request.colour_by == task_colours::worker) all.push_back({"work, by block mod 7", task_colours::category(0)});
    if (there[TaskTurn::wait]) all.push_back({"waits", palette.waste, task_colours::wait});
    if (there[TaskTurn::vain]) all.push_back({"in vain", palette.waste, palette.hatch});
    if (there[TaskTurn::queue]) all.push_back({"queue", task_colours::queue});
    if (there[TaskTurn::launch]) all.push_back({"launch", task_colours::launch});
    all.push_back({"critical path", task_colours::line_on(palette.ground)});
    return all;
  }
  bool leaves_room() const override { return true; }
  bool joint() const override { return true; }  // twice as long is twice as wide
  bool has_axis() const override { return true; }

  Legend legend(const PictureRequest& request) const override {
    const auto chart = track_.chart();
    if (!chart || request.colour_by == task_colours::worker) return {};
    return {"gen. 0", std::to_string(chart->tree().generations() - 1), false, .25f};
  }

  Selection at(Queue*, const PictureRequest& request, double x, double y) override {
    const auto chart = track_.chart();
    const PlaneScale plane(request);
    const double block = plane.y(y), time = plane.x(x) * 1e3;
    if (!chart || block < 0) return {};
    const TaskTurn* turn = chart->turn_at(static_cast<std::uint64_t>(block), time);
    if (!turn || time >= 4e9) return {};
    if (turn->kind == TaskTurn::work) return {task_space, {turn->task, 0, 0}, 0, {}};
    return {block_time_space, {turn->block, static_cast<std::uint32_t>(time), 0}, 0, {}};
  }

  std::vector<Outline> marks(const Selected& selected, const Looking&) const override {
    const auto chart = track_.chart();
    const std::size_t row = selected.selection.at.x;
    if (selected.selection.space == block_time_space && chart) {
      const TaskTurn* turn = chart->turn_at(row, selected.selection.at.y);
      if (!turn) return {};
      return {{Outline::Kind::place,
               {microseconds(turn->start), double(turn->block), 0},
               {microseconds(turn->end), turn->block + 1., 1}}};
    }
    if (selected.selection.space != task_space || !chart || row >= chart->tree().size()) return {};
    std::vector<Outline> all;
    const TaskTree& tree = chart->tree();
    const auto add = [&](std::size_t task, Outline::Kind kind) {
      const TaskSchedule& schedule = chart->schedule;
      all.push_back({kind,
                     {microseconds(schedule.start[task]), double(schedule.block[task]), 0},
                     {microseconds(schedule.end[task]), schedule.block[task] + 1., 1}});
    };
    if (tree.parent[row] >= 0) add(static_cast<std::size_t>(tree.parent[row]), Outline::Kind::block);
    for (std::uint32_t c = 0; c < tree.children[row]; ++c) add(tree.child[row] + c, Outline::Kind::block);
    add(row, Outline::Kind::place);
    return all;
  }

  std::vector<PictureLabel> labels(const PictureRequest& request) const override {
    const auto chart = track_.chart();
    if (!chart || !chart->schedule.missing.empty()) return {};
    const auto sides = extent({});
    std::vector<PictureLabel> all;
    // As many times as have room.
    const double pixels = sides[0] / request.camera.cells_per_pixel_x;
    const int parts = pixels > 260 ? 4 : pixels > 130 ? 2 : 1;
    for (int i = 0; i <= parts; ++i) {
      const double x = sides[0] * i / parts, half = sides[0] / parts / 2;
      const std::string time = chart_number(x, sides[0] < 10 ? 2 : sides[0] < 100 ? 1 : 0);
      all.push_back({{x - half, sides[1]}, {x + half, sides[1]}, {time + " \u00b5s", time}, 0, 1, false});
    }
    const auto line = [&](double at, const char* word) {
      const double x = at / 1e3, half = sides[0] / 9, middle = std::clamp(x, half, sides[0] - half);
      if (x <= sides[0])
        all.push_back({{middle - half, 0},
                       {middle + half, 0},
                       {word + (" " + chart_number(x, 0)) + " \u00b5s", word},
                       1,
                       -1,
                       false});
    };
    line(chart->schedule.bound(chart->tree()), "least");
    // Where the two are apart, so that their words are.
    const double greedy = chart->schedule.greedy(chart->tree());
    if ((greedy - chart->schedule.bound(chart->tree())) / 1e3 > sides[0] / 4) line(greedy, "greedy");
    return all;
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const auto chart = track_.chart();
    if (chart != uploaded_ || turns_.size() == 0) upload(queue, chart);
    const bool arcs = chart && draw_arcs(queue, request, chart->schedule);
    const auto us = [](double ns) { return ns / 1e3; };
    paint_plane("tasks.colour", queue, request,
                PaintChart{turns_.data(), first_.data(), arcs ? arcs_.data() : nullptr,
                           chart ? chart->schedule.blocks : 0, chart ? microseconds(chart->schedule.makespan) : 0,
                           chart ? us(chart->schedule.bound(chart->tree())) : -1,
                           chart ? us(chart->schedule.greedy(chart->tree())) : -1,
                           request.colour_by == task_colours::worker, PlaneScale(request)});
  }

 private:
  static double microseconds(std::int64_t ns) { return static_cast<double>(ns) / 1e3; }

  void upload(Queue& queue, const std::shared_ptr<const TaskChart>& chart) {
    std::vector<PaintedTurn> turns(1);
    std::vector<std::uint64_t> first{0, 0};
    if (chart) {
      const TaskTree& tree = chart->tree();
      std::vector<bool> path(tree.size());
      for (const std::uint32_t row : tree.path) path[row] = true;
      const auto generations = static_cast<std::uint32_t>(tree.generations());
      turns.clear();
      for (const TaskTurn& turn : chart->schedule.turns) {
        const bool work = turn.kind == TaskTurn::work;
        const auto depth = static_cast<std::uint32_t>(work ? tree.depth[turn.task] : 0);
        turns.push_back({microseconds(turn.start), microseconds(turn.end), turn.kind, turn.block,
                         task_colours::generation_shade(depth, generations), work && path[turn.task]});
      }
      if (turns.empty()) turns.resize(1);
      first = chart->first_turn;
    }
    turns_.assign(queue, turns);
    first_.assign(queue, first);
    uploaded_ = chart;
  }

  /// Steals as arcs from the block that had the task to the one that takes it. False: there are none, or too many.
  bool draw_arcs(Queue& queue, const PictureRequest& request, const TaskSchedule& schedule) {
    const PlaneScale plane(request);
    // More would hide what lies below them.
    arcs_left_out_ = schedule.steals.size() > 2 * static_cast<std::size_t>(plane.width);
    if (schedule.steals.empty() || arcs_left_out_) return false;
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(plane.width) * static_cast<std::size_t>(plane.height));
    for (const auto& steal : schedule.steals) {
      const double x = plane.pixel_x(microseconds(steal.at)), from = plane.pixel_y(steal.from + .5),
                   to = plane.pixel_y(steal.to + .5), bow = std::min(24., .15 * std::abs(to - from));
      if (x < -30 || x > plane.width + 30) continue;
      const int steps = std::max(1, static_cast<int>(std::abs(to - from)));
      for (int i = 0; i <= steps; ++i) {
        const double t = static_cast<double>(i) / steps;
        const double u = x - 4 * bow * t * (1 - t), v = from + (to - from) * t;
        if (u >= 0 && v >= 0 && u < plane.width && v < plane.height)
          pixels[static_cast<std::size_t>(v) * static_cast<std::size_t>(plane.width) + static_cast<std::size_t>(u)] = 1;
      }
    }
    arcs_.assign(queue, pixels);
    return true;
  }

  TasksTrack& track_;
  std::atomic<bool> arcs_left_out_{false};
  // Used by the thread that paints alone.
  std::shared_ptr<const TaskChart> uploaded_;
  Buffer<PaintedTurn> turns_;
  Buffer<std::uint64_t> first_;
  Buffer<std::uint8_t> arcs_;
};

}  // namespace

std::unique_ptr<Picture> make_chart_picture(TasksTrack& track) { return std::make_unique<TaskChartPicture>(track); }

}  // namespace warploom
