// What a track of trees tells of itself, of a node, and of what is near a place.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/scenes/irregular/tracks/tree.h"

namespace warploom {

namespace {

/// Slots of trees by levels that bring nodes together every so many levels.
double slots_by_compaction(const std::vector<TreeLevel>& levels, int every) {
  double all = 0, before = 0;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const double slots = l % static_cast<std::size_t>(every) == 0 ? static_cast<double>(levels[l].nodes) : 2 * before;
    all += slots;
    before = slots;
  }
  return all;
}

CurveFigure levels_figure(const TreeLook& look) {
  CurveFigure figure;
  figure.key = "levels";
  figure.title = "Nodes by level";
  figure.help =
      "how many nodes each level visits: each tests a bit of its ends. Those that split make up to two nodes of the "
      "next level, the others go on as they are";
  figure.x = "level";
  figure.y = "nodes";
  CurveFigure::Line nodes{"nodes", {}, {}}, split{"of these split", {}, {}, CurveFigure::Line::Kind::points};
  std::uint64_t visits = 0, all = 0;
  for (std::size_t l = 0; l < look.levels.size(); ++l) {
    nodes.x.push_back(static_cast<double>(l));
    nodes.y.push_back(static_cast<double>(look.levels[l].nodes));
    split.x.push_back(static_cast<double>(l) + .5);
    split.y.push_back(static_cast<double>(look.split_at[l].size()));
    visits += look.levels[l].nodes;
    all += look.split_at[l].size();
  }
  figure.lines = {nodes, split};
  figure.rows = {{"visits", grouped(visits)}, {"split", fmt::format("{} of them", grouped(all))}};
  return figure;
}

CurveFigure slots_figure(const TreeLook& look, int every) {
  CurveFigure figure;
  figure.key = "slots";
  figure.title = "Slots by compaction";
  figure.help =
      "slots that levels/scan launches if it brings nodes together every so many levels: between two compactions each "
      "slot has room for two, made or not";
  figure.x = "levels between compactions";
  figure.y = "slots";
  figure.logarithmic_y = true;
  CurveFigure::Line slots{"slots", {}, {}, CurveFigure::Line::Kind::points};
  for (int c = 1; c <= 8; ++c) {
    slots.x.push_back(c);
    slots.y.push_back(slots_by_compaction(look.levels, c));
  }
  figure.lines = {slots};
  const auto at = static_cast<unsigned long long>(slots.y[static_cast<std::size_t>(every - 1)]);
  figure.handle = CurveFigure::Handle{
      "compact_every", static_cast<double>(every),
      fmt::format("every {}: {}", counted(static_cast<unsigned>(every), "level"), counted(at, "slot"))};
  figure.rows = {{"slots, every level", grouped(static_cast<unsigned long long>(slots.y[0]))},
                 {fmt::format("every {}", every), grouped(at)}};
  return figure;
}

/// "x 3 to 99, y 120 to 160"
std::string box_words(std::uint64_t box, int dimension) {
  std::string words;
  for (int a = 0; a < dimension; ++a)
    words += fmt::format("{}{} {} to {}", a ? ", " : "", "xyz"[a], PackedBox::number(box, a, dimension),
                         PackedBox::number(box, dimension + a, dimension));
  return words;
}

std::string place_words(const Index3& at, int dimension) {
  std::string words = fmt::format("{}, {}", at.x, at.y);
  if (dimension > 2 && at.z) words += fmt::format(", {}", at.z - 1);
  return words;
}

}  // namespace

void TreeTrack::take_look(Queue& queue, const Reading& reading) {
  if (count() > TreeLook::most_points) return;
  const std::lock_guard one(looking_);
  if (const auto before = look(); before && before->serial == reading.serial()) return;
  auto next = std::make_shared<TreeLook>();
  next->serial = reading.serial();
  next->dimension = dimension();
  next->leaf = problem_->leaf;
  next->report = reading.report();
  const auto fetch = [&](auto& to, const auto* from, std::uint64_t items) {
    to.resize(items);
    download_bytes(queue, to.data(), from, items * sizeof to[0]);
  };
  fetch(next->codes, reading.keys().codes, count());
  fetch(next->nodes, reading.nodes().at, count() - 1);
  fetch(next->boxes, reading.boxes(), count() - 1);
  next->lists.resize(next->report->kept);
  for (std::size_t l = 0; l < next->lists.size(); ++l)
    fetch(next->lists[l], reading.lists().level(static_cast<int>(l)), next->report->levels[l].slots);
  next->count_levels();
  auto figures = std::make_shared<std::vector<CurveFigure>>();
  if (!next->levels.empty()) {
    figures->push_back(levels_figure(*next));
    if (info_.intra == "scan") figures->push_back(slots_figure(*next, compact_every_));
  }
  next->curves = std::move(figures);
  const std::lock_guard lock(mutex_);
  look_ = std::move(next);
}

std::shared_ptr<const NearPoints> TreeTrack::near(const Selection& selection) const {
  const auto seen = look();
  if (!seen || selection.space != near_space) return nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (asked_.near && asked_.serial == seen->serial && asked_.at == selection.at) return asked_.near;
  }
  auto found = std::make_shared<const NearPoints>(seen->near(NearPlace(selection.at, dimension())));
  const std::lock_guard lock(mutex_);
  asked_ = {seen->serial, selection.at, found};
  return found;
}

std::shared_ptr<const std::vector<CurveFigure>> TreeTrack::curves() const {
  const auto seen = look();
  return seen ? seen->curves : nullptr;
}

std::vector<std::string> TreeTrack::against(const Track& other, const std::string& name) const {
  const auto* tree = dynamic_cast<const TreeTrack*>(&other);
  const auto own = report(), base = tree ? tree->report() : nullptr;
  if (!own || !base || own->slots == 0 || base->slots == 0) return {};
  std::string words = fmt::format("launches {}", counted(own->slots, "slot"));
  if (own->launches != base->launches)
    words += own->launches == 1 ? std::string(", all at once") : fmt::format(", in {} steps", own->launches);
  const double factor = static_cast<double>(own->slots) / static_cast<double>(base->slots);
  words += factor > 1.005  ? fmt::format(", {:.3g} times as many as {}", factor, name)
           : factor < .995 ? fmt::format(", {:.3g} times fewer than {}", 1 / factor, name)
                           : ", as many as " + name;
  std::vector<std::string> all{words};
  if (by_levels_ && own->storage_used != base->storage_used)
    all.push_back(fmt::format("needs room for {} nodes, {} for {}", grouped(own->storage_used), name,
                              grouped(base->storage_used)));
  return all;
}

int TreeTrack::level_of(const Selection& selection) const {
  const auto seen = look();
  const int levels = seen ? static_cast<int>(seen->levels.size()) : most_tree_levels;
  if (selection.space == node_space) {
    if (selection.at.z) return std::clamp(static_cast<int>(selection.at.z) - 1, 0, std::max(0, levels - 1));
    const PlaceRange node{selection.at.x, selection.at.y};
    if (seen && seen->split_of(node) != Division::none) return seen->level(node);
  }
  constexpr int usual = 7;  // up to 128 boxes
  return std::clamp(usual, 0, std::max(0, levels - 1));
}

Selection TreeTrack::stage_after(const Selection& picked, int by) const {
  const auto seen = look();
  if (!seen || seen->levels.empty()) return {};
  const bool is_node = picked.space == node_space;
  const int last = static_cast<int>(seen->levels.size()) - 1, now = level_of(picked);
  const int next = std::clamp(now + by, 0, last);
  Selection after{node_space, {0, static_cast<std::uint32_t>(count() - 1), 0}, 0, {}};
  if (is_node) after.at = picked.at;
  after.at.z = static_cast<std::uint32_t>(next) + 1;
  return after;
}

std::string TreeTrack::stage_words(const Selection& picked) const {
  const auto seen = look();
  if (!seen || picked.space != node_space || seen->levels.empty()) return {};
  const auto level = static_cast<std::size_t>(level_of(picked));
  const TreeLevel& all = seen->levels[level];
  return fmt::format("level {} of {}: {}", level, seen->levels.size() - 1, counted(all.nodes, "node"));
}

std::vector<std::pair<std::string, std::string>> TreeTrack::describe(const Selection& selection) const {
  const auto seen = look();
  if (!seen) {
    if (selection.space != node_space && selection.space != near_space) return {};
    return {{selection.space, count() > TreeLook::most_points
                                  ? "is told of up to " + grouped(TreeLook::most_points) + " points"
                                  : std::string("is told as soon as it is painted")}};
  }
  std::vector<std::pair<std::string, std::string>> rows;
  if (selection.space == near_space) {
    const Index3 at = selection.at;
    const auto found = this->near(selection);
    if (!found) return {};
    const NearPoints& near = *found;
    const std::uint32_t reach = NearPlace(at, dimension()).reach;
    rows.emplace_back("found", fmt::format("{} of {} within {} of {}", grouped(near.found), counted(count(), "point"),
                                           grouped(reach), place_words(at, dimension())));
    rows.emplace_back("tests", fmt::format("the tree tests {} {} and {}", grouped(near.boxes),
                                           near.boxes == 1 ? "box" : "boxes", counted(near.points, "point")));
    const std::uint64_t tests = near.boxes + near.points;
    const double times = static_cast<double>(count()) / static_cast<double>(tests);
    rows.emplace_back("brute force", "tests all " + counted(count(), "point") +
                                         (times >= 10 ? ": " + grouped(std::llround(times)) + " times as many"
                                          : times > 1 ? fmt::format(": {:.2g} times as many", times)
                                                      : std::string(": no more than the tree")));
    return rows;
  }
  if (selection.space != node_space) return {};
  const PlaceRange node{selection.at.x, selection.at.y};
  const std::uint32_t split = seen->split_of(node);
  if (split == Division::none) return {};
  const int first = seen->first_level(node), last = seen->level(node);
  if (selection.at.z) {
    const auto level = static_cast<std::size_t>(level_of(selection));
    if (level < seen->levels.size())
      rows.emplace_back("level",
                        fmt::format("level {} of {} has {}, of which {} split", level, seen->levels.size() - 1,
                                    counted(seen->levels[level].nodes, "node"), grouped(seen->split_at[level].size())));
  }
  rows.emplace_back("node", "holds " + counted(node.count(), "point"));
  const std::uint32_t parent = seen->parent(node);
  rows.emplace_back("made", parent == Division::none ? std::string("is the root")
                                                     : fmt::format("at level {}, from a node of {}", first,
                                                                   counted(seen->nodes[parent].count(), "point")));
  if (last > first)
    rows.emplace_back("goes on", fmt::format("as it is from level {} to {}: all its points agree in {}", first, last,
                                             counted(static_cast<unsigned>(last - first), "bit")));
  const Division halves = Division::at(node, split, problem_->leaf);
  const std::uint32_t made = halves.made();
  rows.emplace_back("split", fmt::format("at level {} into {} and {}: {}", last, grouped(split - node.first + 1),
                                         counted(node.last - split, "point"),
                                         made == 0   ? "two leaves"
                                         : made == 1 ? "a node and a leaf"
                                                     : "two nodes"));
  rows.emplace_back("box", box_words(seen->boxes[split], dimension()));
  std::int64_t slot = -1;
  if (!by_levels_)  // the thread of the end that its parent is split at
    slot = parent == Division::none ? 0 : parent == node.last ? node.last : node.first;
  const int at = selection.at.z ? std::clamp(static_cast<int>(selection.at.z) - 1, first, last) : last;
  if (by_levels_) slot = seen->slot(at, node);
  if (slot >= 0)
    rows.emplace_back("thread", fmt::format("{}thread {} of block {}, warp {}, lane {}",
                                            by_levels_ ? fmt::format("at level {}: ", at) : std::string(), slot % 256,
                                            slot / 256, slot % 256 / warp_size, slot % warp_size));
  return rows;
}

}  // namespace warploom
