#include <algorithm>
#include <atomic>

#include "gpu/core/format.h"
#include "gpu/pictures/keyed_picture.h"
#include "gpu/scenes/irregular/pictures/tree_paint_space.h"
#include "gpu/scenes/irregular/pictures/tree_pictures.h"
#include "gpu/scenes/irregular/tracks/tree.h"

namespace warploom {

namespace {

class TreeSpace final : public Picture, public KeyedPicture {
 public:
  explicit TreeSpace(TreeTrack& track)
      : Picture({.shape = PictureInfo::Shape::plane,
                 .key = "space",
                 .title = "Space",
                 .space = node_space,
                 .also = near_space,
                 .colours = {},
                 .focuses = true,
                 .sliced = track.dimension() == 3}),
        track_(track) {}

  std::array<double, 3> extent(const Looking&) const override { return {side(), side(), 1}; }

  std::string caption() const override {
    const auto seen = track_.look();
    if (!seen) return short_count(track_.count()) + " points";
    if (seen->levels.empty()) return "a leaf of " + counted(track_.count(), "point");
    // It may be that of an earlier tree, which had more.
    const std::size_t level = std::min(static_cast<std::size_t>(level_at({})), seen->levels.size() - 1);
    return "level " + std::to_string(level) + ": " + grouped(seen->split_at[level].size()) + " of " +
           grouped(seen->levels[level].nodes) + " split";
  }

  std::uint64_t version(const PictureRequest&) const override { return track_.version(); }

  Selection at(Queue*, const PictureRequest& request, double x, double y) override {
    const auto place = place_under(request, extent({}), x, y);
    const auto seen = track_.look();
    if (!place || !seen) return {};
    const TreePlane plane = plane_of_request(request);
    const int level = level_at(request.focus), d = track_.dimension();
    // The box whose outline is under the mouse; of several the smallest.
    std::uint32_t found = Division::none;
    constexpr double reach = 3;
    if (static_cast<std::size_t>(level) < seen->split_at.size())
      for (const std::uint32_t split : seen->split_at[static_cast<std::size_t>(level)]) {
        const std::uint64_t box = seen->boxes[split];
        if (!plane.shows(box)) continue;
        const double left = plane.pixel_x(PackedBox::number(box, plane.right, d)),
                     right = plane.pixel_x(PackedBox::number(box, d + plane.right, d) + 1.),
                     top = plane.pixel_y(PackedBox::number(box, plane.down, d)),
                     bottom = plane.pixel_y(PackedBox::number(box, d + plane.down, d) + 1.);
        if (x < left - reach || x > right + reach || y < top - reach || y > bottom + reach) continue;
        if (std::min({std::abs(x - left), std::abs(x - right), std::abs(y - top), std::abs(y - bottom)}) > reach)
          continue;
        if (found == Division::none || seen->nodes[split].count() < seen->nodes[found].count()) found = split;
      }
    if (found != Division::none) {
      const PlaceRange node = seen->nodes[found];
      return {node_space, {node.first, node.last, static_cast<std::uint32_t>(level) + 1}, 0, {}};
    }
    std::uint32_t on[3] = {0, 0, 0};
    on[plane.right] = place->x;
    on[plane.down] = place->y;
    if (d == 3 && plane.place != Division::none) on[plane.axis] = plane.place;
    const bool any_depth = d == 2 || plane.place == Division::none;
    return {near_space, {on[0], on[1], any_depth ? 0 : on[2] + 1}, 0, {}};
  }

  std::vector<Outline> marks(const Selected& selected, const Looking& looking) const override {
    const auto seen = track_.look();
    if (!seen) return {};
    const Selection& selection = selected.selection;
    const TreePlane plane = plane_of_looking(looking);
    const int d = track_.dimension();
    if (selection.space == near_space) {
      const NearPlace near(selection.at, d);
      if (near.at[plane.right] == Division::none || near.at[plane.down] == Division::none) return {};
      const double x = near.at[plane.right] + .5, y = near.at[plane.down] + .5, reach = near.reach;
      const auto found = track_.near(selection);
      return {{Outline::Kind::block,
               {std::max(0., x - reach), std::max(0., y - reach), 0},
               {std::min(side(), x + reach), std::min(side(), y + reach), 1},
               0,
               found ? counted(found->found, "point") + ", " + counted(found->boxes + found->points, "test") : ""}};
    }
    if (selection.space != node_space) return {};
    const std::uint32_t split = seen->split_of({selection.at.x, selection.at.y});
    if (split == Division::none) return {};
    const std::uint64_t box = seen->boxes[split];
    return {{Outline::Kind::place,
             {double(PackedBox::number(box, plane.right, d)), double(PackedBox::number(box, plane.down, d)), 0},
             {PackedBox::number(box, d + plane.right, d) + 1., PackedBox::number(box, d + plane.down, d) + 1., 1}}};
  }

  std::vector<Kind> kinds(const PictureRequest& request) const override {
    const Palette& palette = request.palette;
    const int level = level_at(request.focus);
    if (request.focus.on && request.focus.also) {
      const auto found = track_.near({near_space, request.focus.at, 0, {}});
      if (!found) return {};
      return {{counted(found->found, "point") + " within 1/32", palette.at(1)},
              {counted(found->visited, "node") + " visited", mix(palette.ground, palette.track, .7f)},
              {"other points", mix(palette.ground, PaintTreeSpace::point(palette, 30), .4f)}};
    }
    std::vector<Kind> all{{"boxes of level " + std::to_string(level), palette.track}};
    if (level > 0) {
      const int first = std::max(0, level - DrawBoxes::above);
      std::string above = "level " + std::to_string(first);
      if (first < level - 1) above = "levels " + std::to_string(first) + " to " + std::to_string(level - 1);
      all.push_back({above, mix(palette.ground, palette.track, PaintTreeSpace::share(3))});
    }
    all.push_back({"points", PaintTreeSpace::point(palette, 30)});
    return all;
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const TreeTrack::Reading reading(track_, queue);
    track_.take_look(queue, reading);
    const std::uint64_t pixels =
        static_cast<std::uint64_t>(request.target.width) * static_cast<std::uint64_t>(request.target.height);
    for (auto* buffer : {&weights_, &found_, &lines_}) {
      make_room(*buffer, queue, pixels);
      zero_bytes(queue, buffer->data(), pixels * sizeof(std::uint32_t));
    }
    const bool finds = request.focus.on && request.focus.also;
    const NearPlace near = finds ? NearPlace(request.focus.at, track_.dimension()) : NearPlace();
    const TreePlane plane = plane_of_request(request);
    launch_items("tree.dots", queue, track_.count(),
                 SplatPoints{plane, reading.keys().codes, finds, near, weights_.data(), found_.data()});
    if (track_.count() > 1)
      launch_items("tree.outlines", queue, track_.count() - 1,
                   DrawBoxes{plane, reading.keys(), reading.nodes(), reading.boxes(), level_at(request.focus), finds,
                             near, request.target.height > 1400 ? 2 : 1, lines_.data()});
    paint_plane("tree.colour", queue, request,
                PaintTreeSpace{side(), weights_.data(), found_.data(), lines_.data(), request.target.width, finds});
  }

 private:
  double side() const { return 1 << track_.problem().points.bits; }
  /// The level of the cursor: it stays where it was while something else is looked at.
  int level_at(const Focus& focus) const {
    if (focus.on && !focus.also) level_ = track_.level_of({node_space, focus.at, 0, {}});
    return level_ < 0 ? track_.level_of({}) : level_.load();
  }
  TreePlane plane_of_looking(const Looking& looking) const {
    TreePlane plane{};
    plane.dimension = track_.dimension();
    const int axis = looking.slice_axis;
    if (axis < 0 || plane.dimension == 2) return plane;
    plane.axis = axis;
    plane.right = axis == 0 ? 1 : 0;
    plane.down = axis == 2 ? 1 : 2;
    plane.place = static_cast<std::uint32_t>(std::min(side() - 1, looking.slice * side()));
    plane.reach = static_cast<std::uint32_t>(side() / 64);
    return plane;
  }
  TreePlane plane_of_request(const PictureRequest& request) const {
    TreePlane plane = plane_of_looking({1, request.solid.slice_axis, request.solid.slice});
    plane.camera = request.camera;
    plane.width = request.target.width;
    plane.height = request.target.height;
    return plane;
  }

  TreeTrack& track_;
  mutable std::atomic<int> level_{-1};
  Buffer<std::uint32_t> weights_, found_, lines_;
};

}  // namespace

std::unique_ptr<Picture> make_tree_space(TreeTrack& track) { return std::make_unique<TreeSpace>(track); }

}  // namespace warploom
