#include "gpu/scenes/butterfly/kernels/exchange.h"

#include <algorithm>
#include <array>
#include <set>

namespace warploom {

Wavefronts wavefronts_of(const std::vector<std::uint32_t>& bytes, int word_bytes) {
  Wavefronts all;
  const auto lanes = static_cast<std::size_t>(128 / word_bytes);
  for (std::size_t first = 0; first < bytes.size(); first += lanes) {
    std::array<std::set<std::uint32_t>, 32> of_bank;
    for (std::size_t i = first; i < std::min(bytes.size(), first + lanes); ++i) {
      if (bytes[i] == dead_lane) continue;
      for (std::uint32_t at = bytes[i] / 4; at < (bytes[i] + static_cast<std::uint32_t>(word_bytes)) / 4; ++at)
        of_bank[at % 32].insert(at);
    }
    std::size_t most = 0;
    for (const auto& words : of_bank) most = std::max(most, words.size());
    all.taken += most;
    all.ideal += most > 0;
  }
  return all;
}

}  // namespace warploom
