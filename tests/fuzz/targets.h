#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace warploom {

/// Something that reads what others wrote. It takes any bytes, or refuses them by Error: all else is a fault.
struct FuzzTarget {
  std::string name;  ///< also of its folder in tests/fuzz/corpus
  void (*read)(std::string_view bytes);
};
const std::vector<FuzzTarget>& fuzz_targets();

}  // namespace warploom
