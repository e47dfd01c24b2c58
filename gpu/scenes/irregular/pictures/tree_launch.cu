#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/pictures/keyed_picture.h"
#include "gpu/pictures/plane_layout.h"
#include "gpu/scenes/irregular/pictures/tree_paint_launch.h"
#include "gpu/scenes/irregular/pictures/tree_pictures.h"
#include "gpu/scenes/irregular/tracks/tree.h"

namespace warploom {

namespace {

constexpr std::uint64_t block_threads = 256;

class TreeLaunch final : public Picture, public KeyedPicture, public PlaneLayout {
 public:
  explicit TreeLaunch(TreeTrack& track)
      : Picture({.shape = PictureInfo::Shape::plane,
                 .key = "launch",
                 .title = "Launches",
                 .space = node_space,
                 .fills = true,
                 .colours = {}}),
        track_(track) {}

  bool joint() const override { return true; }
  std::array<double, 3> extent(const Looking&) const override {
    const auto rows = slots_of_rows();
    if (rows.empty()) return {1, 1, 1};
    return {static_cast<double>(launched(*std::max_element(rows.begin(), rows.end()))),
            static_cast<double>(rows.size()), 1};
  }

  std::string heading() const override {
    const auto report = track_.report();
    if (!report) return {};
    const std::string slots = counted(report->slots, track_.by_levels() ? "slot" : "thread");
    return report->launches == 1 ? "1 launch of " + slots : std::to_string(report->launches) + " launches of " + slots;
  }

  std::string caption() const override {
    const auto report = track_.report();
    if (!report || report->slots == 0) return "no nodes";
    const std::uint64_t rows = slots_of_rows().size();
    if (track_.by_levels() && rows < report->levels.size())
      return "the first " + std::to_string(rows) + " of " + std::to_string(report->levels.size()) + " levels";
    const std::uint64_t empty = report->slots - report->counts.useful;
    return empty ? short_count(empty) + " of " + counted(report->slots, "slot") + " empty" : "no slot is empty";
  }

  std::uint64_t version(const PictureRequest&) const override { return track_.version(); }

  Selection at(Queue*, const PictureRequest& request, double x, double y) override {
    const auto place = place_under(request, extent({}), x, y);
    const auto seen = track_.look();
    if (!place || !seen) return {};
    if (!track_.by_levels()) {
      if (place->x + 1 >= seen->codes.size()) return {};
      std::uint32_t split = 0;
      const PlaceRange node = radix_node(seen->keys(), place->x, split);
      if (node.count() <= seen->leaf) return {};
      return {node_space, {node.first, node.last, static_cast<std::uint32_t>(seen->level(node)) + 1}, 0, {}};
    }
    if (place->y >= seen->lists.size() || place->x >= seen->lists[place->y].size()) return {};
    const PlaceRange node = seen->lists[place->y][place->x];
    if (!node.there()) return {};
    return {node_space, {node.first, node.last, place->y + 1}, 0, {}};
  }

  std::vector<Outline> marks(const Selected& selected, const Looking&) const override {
    const auto seen = track_.look();
    const Selection& selection = selected.selection;
    if (!seen || selection.space != node_space || seen->levels.empty()) return {};
    std::vector<Outline> all;
    const PlaceRange node{selection.at.x, selection.at.y};
    if (!track_.by_levels()) {
      const std::uint32_t split = seen->split_of(node), parent = seen->parent(node);
      if (split == Division::none) return {};
      const double thread = parent == Division::none ? 0 : parent == node.last ? node.last : node.first;
      return {{Outline::Kind::place, {thread, 0, 0}, {thread + 1, 1, 1}}};
    }
    const auto level = static_cast<std::size_t>(track_.level_of(selection));
    if (level < seen->lists.size()) {
      const auto wide = static_cast<double>(launched(seen->lists[level].size()));
      all.push_back({Outline::Kind::block, {0, double(level), 0}, {wide, level + 1., 1}});
    }
    if (seen->split_of(node) == Division::none) return all;
    for (int l = seen->first_level(node); l <= seen->level(node); ++l)
      if (const std::int64_t slot = seen->slot(l, node); slot >= 0)
        all.push_back({Outline::Kind::place, {double(slot), double(l), 0}, {slot + 1., l + 1., 1}});
    return all;
  }

  std::vector<PictureLabel> labels(const PictureRequest& request) const override {
    const auto rows = slots_of_rows();
    const auto seen = track_.look();
    if (!track_.by_levels() || !seen || rows.empty()) return {};
    const Camera& camera = request.camera;
    // Up to the right end of the pane.
    const double right = camera.x + .5 * request.target.width * camera.cells_per_pixel_x;
    // Every so many levels that a line of text has room.
    constexpr double least_pixels = 20;
    const auto each = static_cast<std::size_t>(
        std::clamp(std::ceil(least_pixels * camera.cells_per_pixel_y), 1., double(rows.size())));
    std::vector<PictureLabel> all;
    for (std::size_t level = 0; level < std::min(rows.size(), seen->levels.size()); level += each) {
      std::uint64_t most = 0;  // slots beside the text
      for (std::size_t l = level - std::min(level, each / 2); l < std::min(rows.size(), level + each / 2 + 1); ++l)
        most = std::max(most, rows[l]);
      const double middle = static_cast<double>(level) + .5, half = .5 * static_cast<double>(each);
      const double from = static_cast<double>(launched(most)) + 6 * camera.cells_per_pixel_x;
      all.push_back({{from, middle - half},
                     {std::max(from, right), middle + half},
                     {"level " + std::to_string(level) + ": " + counted(seen->levels[level].nodes, "node"),
                      "level " + std::to_string(level)},
                     static_cast<int>(level),
                     0,
                     true});
    }
    return all;
  }

  bool leaves_room() const override { return true; }

  std::vector<Kind> kinds(const PictureRequest& request) const override {
    const Palette& palette = request.palette;
    std::uint64_t made[3] = {};
    if (const auto seen = track_.look()) {
      if (!track_.by_levels()) std::copy_n(seen->halves, 3, made);
      for (const TreeLevel& level : seen->levels)
        for (int i = 0; i < 3 && track_.by_levels(); ++i) made[i] += level.made[i];
    }
    const auto words = [&](const char* what, std::uint64_t count) {
      return std::string("makes ") + what + ": " + grouped(count);
    };
    return {{words("two", made[2]), PaintTreeLaunch::tone(palette, 3)},
            {words("one", made[1]), PaintTreeLaunch::tone(palette, 2)},
            {words("none", made[0]), PaintTreeLaunch::tone(palette, 1)},
            {"no node", palette.waste, palette.hatch}};
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const TreeTrack::Reading reading(track_, queue);
    track_.take_look(queue, reading);
    if (serial_ != reading.serial()) find_kinds(queue, reading);
    paint_plane("tree.colour", queue, request,
                PaintTreeLaunch{kinds_.data(), begins_.data(), static_cast<std::uint32_t>(begins_.size() - 1),
                                static_cast<std::uint32_t>(block_threads)});
  }

 private:
  static std::uint64_t launched(std::uint64_t slots) {
    return (slots + block_threads - 1) / block_threads * block_threads;
  }
  /// Slots of the levels whose nodes are kept, or of the one launch of a tree that is made at once.
  std::vector<std::uint64_t> slots_of_rows() const {
    const auto report = track_.report();
    if (!report || report->slots == 0) return {};
    if (!track_.by_levels()) return {report->slots};
    std::vector<std::uint64_t> rows;
    for (std::size_t l = 0; l < report->kept; ++l) rows.push_back(report->levels[l].slots);
    return rows;
  }

  void find_kinds(Queue& queue, const TreeTrack::Reading& reading) {
    const auto& levels = reading.report()->levels;
    std::vector<std::uint64_t> begins{0};
    const auto add = [&](std::uint64_t slots) { begins.push_back(begins.back() + slots); };
    if (track_.by_levels())
      for (std::size_t l = 0; l < reading.report()->kept; ++l) add(levels[l].slots);
    else if (reading.report()->slots)
      add(reading.report()->slots);
    begins_.assign(queue, begins);
    make_room(kinds_, queue, std::max<std::uint64_t>(1, begins.back()));
    const std::uint32_t leaf = track_.problem().leaf;
    for (std::size_t row = 0; row + 1 < begins.size(); ++row) {
      std::uint8_t* const to = kinds_.data() + begins[row];
      const std::uint64_t slots = begins[row + 1] - begins[row];
      if (track_.by_levels())
        launch_items("tree.kinds", queue, slots,
                     KindsOfSlots{reading.keys(), leaf, static_cast<int>(row),
                                  reading.lists().level(static_cast<int>(row)), to});
      else
        launch_items("tree.kinds", queue, slots, KindsOfThreads{reading.keys(), leaf, to});
    }
    serial_ = reading.serial();
  }

  TreeTrack& track_;
  // Used by the thread that paints alone.
  std::uint64_t serial_ = 0;
  Buffer<std::uint8_t> kinds_;
  Buffer<std::uint64_t> begins_;
};

}  // namespace

std::unique_ptr<Picture> make_tree_launch(TreeTrack& track) { return std::make_unique<TreeLaunch>(track); }

}  // namespace warploom
