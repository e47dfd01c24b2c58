// What a track of sparse products says of a place of the matrix, in whole sentences.
#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/format.h"
#include "gpu/scenes/irregular/tracks/spmv_track.h"

namespace warploom {

namespace {

bool is_spmv_place(const Selection& selection, Index3 extent) {
  return selection.space == Selection::cell && selection.at.x < extent.x && selection.at.y < extent.y &&
         selection.at.z == 0;
}

}  // namespace

void SpmvTrack::ask(Queue& questions, const Selection& selection) {
  if (!is_spmv_place(selection, extent_)) return;
  const StatePair::Reader reader(states_, questions, std::try_to_lock);
  if (!reader) return;  // it is written anew: asked again in the next frame
  {
    const std::lock_guard lock(looked_mutex_);
    if (looked_.serial == reader.serial() && looked_.at == selection.at) return;
  }
  Looked looked{reader.serial(), selection.at};
  const auto* x = reader.data() + std::uint64_t{selection.at.x} * sizeof(float);
  const auto* y = reader.data() + y_at_ + std::uint64_t{selection.at.y} * sizeof(float);
  download_bytes(questions, &looked.x, x, sizeof(float));
  download_bytes(questions, &looked.y, y, sizeof(float));
  const std::lock_guard lock(looked_mutex_);
  looked_ = looked;
}

namespace {

/// "its warp takes 551 turns, from the 9th on 31 lanes wait"
std::string warp_words(const SpmvLayout& layout, const SpmvSpot& spot) {
  const std::uint64_t warp = spot.thread / warp_size, turns = layout.warp_turns(spot.launch, warp);
  std::string words = "its warp takes " + counted(turns, "turn");
  std::uint64_t most = 0, second = 0, all = 0;
  for (std::uint64_t i = 0; i < warp_size; ++i) {
    const std::uint64_t count = layout.share(spot.launch, warp * warp_size + i).count();
    all += count;
    second = std::max(second, std::min(most, count));
    most = std::max(most, count);
  }
  // Where a thread's nonzeros come one after another from its first turn on.
  const SpmvLayout::Share own = layout.share(spot.launch, spot.thread);
  const bool from_the_first = layout.spot(own.back()).turn + 1 == own.count();
  if (from_the_first && most == turns && most > second)
    return words + fmt::format(", from turn {} on 31 lanes wait", grouped(second));
  return words + fmt::format(", {:.3g} % of its lanes' turns have a nonzero",
                             100. * static_cast<double>(all) / static_cast<double>(warp_size * turns));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> SpmvTrack::describe(const Selection& selection) const {
  if (!is_spmv_place(selection, extent_)) return {};
  const std::uint32_t row = selection.at.y, column = selection.at.x;
  std::vector<std::pair<std::string, std::string>> all;
  const auto j = matrix().find(column, row);
  all.emplace_back("value", j ? fmt::format("{:.7g}, nonzero {} of {}", matrix().values[*j], grouped(*j),
                                            grouped(matrix().nonzeros()))
                              : std::string("0: no nonzero is here"));
  {
    const std::lock_guard lock(looked_mutex_);
    if (looked_.serial && looked_.at == selection.at) {
      all.emplace_back("x", fmt::format("column {} has x = {:.7g}", grouped(column), looked_.x));
      all.emplace_back("y", fmt::format("row {} has y = {:.7g}", grouped(row), looked_.y));
    }
  }
  std::string words = "row " + grouped(row) + " has " + counted(matrix().length(row), "nonzero");
  if (j && layout_) {
    const SpmvSpot spot = layout_->spot(*j, row);
    all.emplace_back("row", words + ": " + warp_words(*layout_, spot));
    all.emplace_back("thread", fmt::format("thread {} of block {}{} multiplies it in turn {}",
                                           spot.thread % spmv_threads, grouped(spot.thread / spmv_threads),
                                           layout_->threads().size() > 1 ? fmt::format(" of launch {}", spot.launch + 1)
                                                                         : std::string(),
                                           grouped(spot.turn)));
    // Values of four bytes: eight of them are a sector.
    all.emplace_back("place", fmt::format("element {} of {} as stored, in sector {} of the values", grouped(spot.place),
                                          grouped(layout_->stored()), grouped(spot.place / 8)));
  } else {
    all.emplace_back("row", words);
  }
  return all;
}

}  // namespace warploom
