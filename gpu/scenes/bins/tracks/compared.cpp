// What a track of bins costs beside others, in words and by the capacity of a bin.
#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/format.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

namespace {

std::string padding_words(const BinsSnapshot& snapshot) {
  return snapshot.padding() ? fmt::format("{} % padding", 100 * snapshot.padding() / snapshot.slots) : std::string();
}

}  // namespace

std::string BinsTrack::spilled_words(const BinsSnapshot& snapshot) const {
  if (!snapshot.spilled) return {};
  std::string words = grouped(snapshot.spilled) + " of " + grouped(snapshot.elements) + " spilled";
  if (!snapshot.all_spilled()) return words;
  return (problem_->settings.cap < 0 ? "fastest without bins, " : "without bins, ") + words;
}

std::vector<std::string> BinsTrack::against(const Track& other, const std::string& name) const {
  if (!has_bins())
    return {variant_.spreads ? "has no bins: each element adds to the outputs in its reach"
                             : "has no bins: each output tests all " + counted(count(), "element")};
  const auto own = snapshot();
  if (!own) return {};
  const std::string spilled = grouped(own->spilled) + " of " + counted(own->elements, "element");
  if (own->all_spilled()) return {"uses no bins and leaves " + spilled + " to the CPU"};
  const double own_bytes = stored_bytes(*own);
  const std::string padding = padding_words(*own);
  std::string words = "takes " + bytes_text(own_bytes) + (padding.empty() ? " without padding" : " (" + padding + ")");
  const auto* theirs = dynamic_cast<const BinsTrack*>(&other);
  if (const auto base = theirs ? theirs->snapshot() : nullptr) {
    const double factor = theirs->stored_bytes(*base) / own_bytes;
    words += factor > 1.005  ? fmt::format(", {:.3g} times less than {}", factor, name)
             : factor < .995 ? fmt::format(", {:.3g} times as much as {}", 1 / factor, name)
                             : ", as much as " + name;
    const std::string their_padding = base->all_spilled() ? "no bins used" : padding_words(*base);
    if (!their_padding.empty()) words += " (" + their_padding + ")";
  }
  std::vector<std::string> all{words};
  if (own->spilled) all.push_back("leaves " + spilled + " to the CPU");
  return all;
}

std::optional<PaddingByCapacity> BinsTrack::padding() const {
  const auto snapshot = this->snapshot();
  if (!snapshot || !snapshot->deepest) return std::nullopt;
  PaddingByCapacity all;
  const auto elements = static_cast<double>(snapshot->elements), bins = static_cast<double>(snapshot->bins);
  // Each slot more holds an element of every bin that is as deep.
  double kept = 0, deep_enough = bins - static_cast<double>(snapshot->empty);
  const auto add = [&](double slots) {
    all.slots.push_back(slots);
    all.padding.push_back(100 * (1 - kept / (bins * slots)));
    all.spilled.push_back(100 * (1 - kept / elements));
  };
  // The last of `of_depth` counts all that are as deep or deeper.
  const std::uint64_t most = std::min<std::uint64_t>(snapshot->deepest, snapshot->of_depth.size() - 1);
  for (std::uint64_t slots = 1; slots <= most; ++slots) {
    kept += deep_enough;
    deep_enough -= static_cast<double>(snapshot->of_depth[slots]);
    add(static_cast<double>(slots));
  }
  if (snapshot->deepest > most) {
    kept = elements;
    add(static_cast<double>(snapshot->deepest));
  }
  if (!snapshot->slots) return all;
  all.own_slots = static_cast<double>(std::min<std::uint64_t>(snapshot->cap, snapshot->deepest));
  all.own_padding = 100 * static_cast<double>(snapshot->padding()) / static_cast<double>(snapshot->slots);
  return all;
}

}  // namespace warploom
