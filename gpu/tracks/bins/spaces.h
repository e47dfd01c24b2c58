#pragma once
namespace warploom {

/// What selections of a scene of bins are called beside cells, threads and blocks.
inline constexpr const char* bin_space = "bin";

}  // namespace warploom
