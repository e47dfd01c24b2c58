#include "gpu/scenes/bins/tracks/looks.h"

#include <algorithm>

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

}  // namespace warploom
