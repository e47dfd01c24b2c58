#pragma once
namespace warploom {

/// What selections of a scene of bins are called beside cells, threads and blocks. An element's number is in x.
inline constexpr const char *bin_space = "bin", *element_space = "element";

}  // namespace warploom
