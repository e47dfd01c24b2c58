#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "gpu/tracks/facets/accesses.h"

namespace warploom {

/// What the selected warp touches in memory, asked once for as long as the selection stays: where threads serve many
/// cells, a warp has thousands of addresses.
class WarpMemory {
 public:
  struct Layout {
    WarpAccess access;
    std::uint64_t sectors = 0, lines = 0, cells = 0;
    std::map<std::uint64_t, std::array<std::uint64_t, 4>> used;  ///< of each line touched: bytes of its four sectors
  };

  /// The warp of `who` in a track of the simulation of that number, under every layout.
  const std::vector<Layout>& of(std::uint64_t simulation, std::size_t track, const Accesses& memory, const Owner& who);

 private:
  std::uint64_t simulation_ = 0;
  std::size_t track_ = 0;
  Owner who_;
  std::vector<Layout> layouts_;
};

}  // namespace warploom
