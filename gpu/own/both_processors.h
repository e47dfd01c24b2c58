#pragma once
#include <string>
#include <string_view>

namespace warploom {

/// A text whose functions are all for both processors: WARPLOOM_HD stands before each, also in structures. nvcc takes
/// what says nothing for a function of the host, other than NVRTC. Tables outside of functions stay as they are: nvcc
/// refuses them where they are asked by a number that is not known. Any text is taken; lines keep their numbers.
std::string for_both_processors(std::string_view text);

}  // namespace warploom
