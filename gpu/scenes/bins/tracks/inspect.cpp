// What a track of bins tells of a bin, an element, an output.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

BinLooks::Look& BinLooks::place_of(Queue& queue, const LookedAt& looked) {
  for (const auto& look : looks_)
    if (look->looked == looked) return *look;
  if (looks_.size() < most) {
    auto look = std::make_unique<Look>();
    look->count = Buffer<std::uint64_t>(queue.backend(), 2);
    look->answer = std::make_unique<Answer<LookFound>>(queue.backend());
    look->looked = looked;
    return *looks_.emplace_back(std::move(look));
  }
  Look& look =
      **std::min_element(looks_.begin(), looks_.end(), [](const auto& a, const auto& b) { return a->used < b->used; });
  take(look);
  look.looked = looked;
  look.found.reset();
  look.took = {};
  return look;
}

void BinLooks::take(Look& look) {
  if (!look.waits) return;
  look.found = look.answer->get();
  look.took = Clock::now() - look.asked;
  look.waits = false;
}

std::optional<LookFound> BinLooks::found(const LookedAt& looked) const {
  const std::lock_guard lock(mutex_);
  for (const auto& look : looks_)
    if (look->looked == looked) return look->found;
  return std::nullopt;
}

std::optional<LookedAt> BinsTrack::looked_at(const Selection& selection) const {
  using Kind = LookedAt::Kind;
  if (selection.space == bin_space) {
    // The bins are not looked at of an input-driven track.
    const bool looks = has_bins() && !variant_.spreads;
    if (looks && is_inside(selection.at, space().grid.bins)) return LookedAt{Kind::bin, selection.at};
  } else if (selection.space == element_space || (selection.space == Selection::cell && moves())) {
    if (selection.at.x < count()) return LookedAt{Kind::element, {selection.at.x, 0, 0}};
  } else if (selection.space == Selection::cell && is_inside(selection.at, extent_)) {
    return LookedAt{Kind::output, selection.at};
  }
  return std::nullopt;
}

void BinsTrack::ask(Queue& questions, const Selection& selection) {
  const auto looked = looked_at(selection);
  if (!looked) return;
  // On the CPU a question is the window's own work: of very many it is left out.
  const bool bin = looked->kind == LookedAt::Kind::bin;
  std::uint64_t items = bin ? (moves() ? count() : tests_.size()) * 32 : count();
  if (looked->kind == LookedAt::Kind::element && !moves()) items = 0;  // the outputs about it are few
  if (questions.backend() == Backend::cpu && items > (1u << 22)) return;
  const Reading reading(*this, questions, std::try_to_lock);
  if (!reading) return;  // it is binned anew: asked again in the next frame
  // Elements of a lattice stay where they are; their ranks may not, nor what is made of them.
  const bool stays = !moves() && looked->kind == LookedAt::Kind::bin;
  looks_.ask(questions, *looked, stays ? 1 : reading.serial(), [&](std::uint64_t* found, LookFound* to) {
    const SlotOfElement slots{reading.ranks(), reading.slots(), regular(), reading.shape().cap};
    look_for(questions, reading.elements(), *looked, slots, reading.output(), found, to);
  });
}

std::optional<LookFound> BinsTrack::found(const Selection& selection) const {
  const auto looked = looked_at(selection);
  return looked ? looks_.found(*looked) : std::nullopt;
}

std::optional<ElementFound> BinsTrack::element_found(const Selection& selection) const {
  if (selection.space != element_space) return std::nullopt;
  const auto found = this->found(selection);
  if (!found) return std::nullopt;
  ElementFound element;
  element.place = {{found->values[0], found->values[1], found->values[2]}};
  element.reach = std::sqrt(found->square_reach);
  element.bin = space().grid.bin_of(element.place);
  element.spilled = found->slot == LookFound::spilled;
  if (found->slot < LookFound::spilled) element.slot = found->slot;
  return element;
}

namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

}  // namespace

std::string BinsTrack::address_of(std::uint64_t slot) const {
  if (variant_.access->layout == BinLayout::arrays || variant_.access->layout == BinLayout::vectors) return {};
  return fmt::format("0x{:05x}", slot * static_cast<std::uint64_t>(slot_bytes()));
}

Rows BinsTrack::describe_output(const Selection& selection) const {
  Rows rows;
  const auto found = this->found(selection);
  if (found) {
    const float* values = found->values;
    rows.emplace_back("value",
                      application_.components == 2
                          ? fmt::format("{:.4g} {:+.4g} i", values[0], values[1])
                          : fmt::format("{:.5g}", values[0]) + (application_.unit[0] ? " " : "") + application_.unit);
  }
  std::uint64_t tests = 0;
  const auto snapshot = this->snapshot();
  Selected selected{selection, Owner{}, {}, true};
  if (!has_bins()) {
    tests = count();
  } else if (snapshot && !snapshot->counts.empty() && !variant_.spreads && owner(selection.at, *selected.owner)) {
    const auto read = rows_read(selected);
    std::uint64_t bins = 0;
    for (const BinRow& row : read) {
      bins += row.last - row.first + 1;
      for (std::uint64_t bin = row.first; bin <= row.last; ++bin)
        tests += std::min(snapshot->counts[bin], snapshot->cap);
    }
    rows.emplace_back("looks at", counted(bins, "bin") + " in " + counted(read.size(), "row"));
  }
  if (variant_.access->culls) tests = found ? found->tested : 0;
  if (tests && !(variant_.spreads && !has_bins())) rows.emplace_back("tests", counted(tests, "element"));
  if (!found) return rows;
  std::string hits = counted(found->count, "element");
  // What is spilled is in reach, too, and never tested.
  if (tests && found->count <= tests && !variant_.spreads)
    hits += fmt::format(", {:.3g} %", 100 * static_cast<double>(found->count) / static_cast<double>(tests));
  rows.emplace_back("hits", hits);
  return rows;
}

Rows BinsTrack::describe_element(const Selection& selection) const {
  const auto found = this->found(selection);
  const auto element = element_found({element_space, selection.at, 0, {}});
  if (!found || !element) return {};
  Rows rows;
  rows.emplace_back("place",
                    fmt::format("{:.4g}, {:.4g}, {:.4g}", element->place[0], element->place[1], element->place[2]));
  const float* values = found->values;
  if (application_.width == 6) {
    rows.emplace_back(application_.fourth, fmt::format("{:.4g} {:+.4g} i", values[3], values[4]));
    rows.emplace_back("weight", fmt::format("{:.5g}", values[5]));
  } else {
    rows.emplace_back(application_.fourth, fmt::format("{:.5g}", values[3]));
  }
  if (has_bins()) rows.emplace_back("bin", place_text(element->bin, 3));
  if (element->spilled) rows.emplace_back("slot", "none: spilled");
  if (element->slot) {
    rows.emplace_back("slot", grouped(*element->slot));
    if (const auto address = address_of(*element->slot); !address.empty()) rows.emplace_back("address", address);
  }
  if (moves()) {
    Owner who;
    if (owner({selection.at.x, 0, 0}, who))
      rows.emplace_back("owner", fmt::format("block {}, thread {}", who.block.x, who.thread.x));
    rows.emplace_back("reaches", found->count == 1 ? "itself alone" : grouped(found->count) + " bodies");
  } else {
    rows.emplace_back("reaches", counted(found->count, "output"));
  }
  return rows;
}

Rows BinsTrack::describe_bin(const Selection& selection) const {
  const auto snapshot = this->snapshot();
  const BinGrid& grid = space().grid;
  const Index3 bin = selection.at;
  if (!snapshot || !is_inside(bin, grid.bins)) return {};
  if (snapshot->counts.empty()) return {{"bin", "too many to be kept one by one"}};
  const std::uint64_t number = grid.number(bin);
  const std::uint32_t depth = snapshot->counts[number], kept = std::min(depth, snapshot->cap);
  const std::uint64_t first = snapshot->first_slot(number), slots = snapshot->first_slot(number + 1) - first;
  const auto byte = static_cast<std::uint64_t>(slot_bytes());
  Rows rows;
  rows.emplace_back("depth", counted(depth, "element"));
  rows.emplace_back("slots", slots ? fmt::format("{} to {}", grouped(first), grouped(first + slots - 1)) : "none");
  if (slots > kept) rows.emplace_back("padding", counted(slots - kept, "slot"));
  if (depth > kept) rows.emplace_back("spilled", counted(depth - kept, "element"));
  if (const auto address = address_of(first); slots && !address.empty()) {
    rows.emplace_back("address", address);
    const std::uint64_t sectors = ((first + slots) * byte + 31) / 32 - first * byte / 32;
    rows.emplace_back("sectors",
                      fmt::format("{}, {:.0f} % used", grouped(sectors),
                                  100. * static_cast<double>(kept * byte) / static_cast<double>(32 * sectors)));
  }
  if (const auto found = this->found(selection))
    rows.emplace_back("read by", moves() ? counted(found->count, "thread") : counted(found->count, "block"));
  return rows;
}

Rows BinsTrack::describe(const Selection& selection) const {
  if (selection.space == element_space || (selection.space == Selection::cell && moves()))
    return selection.at.x < count() ? describe_element(selection) : Rows{};
  if (selection.space == Selection::cell) return describe_output(selection);
  return selection.space == bin_space && has_bins() ? describe_bin(selection) : Rows{};
}

}  // namespace warploom
