#include <charconv>

#include "gpu/core/error.h"
#include "gpu/scenes/bins/kernels/inputs.h"

namespace warploom {

std::optional<std::uint64_t> input_count(const std::string& input) {
  if (input.empty()) throw UsageError("input: expected a count from 1, a name or a file");
  const bool number = input.find_first_not_of("+-0123456789") == std::string::npos;
  if (!number) return std::nullopt;
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(input.data(), input.data() + input.size(), count);
  if (error != std::errc() || end != input.data() + input.size() || count == 0)
    throw UsageError("input " + input + ": expected a count from 1, a name or a file");
  if (count >= 1ull << 31) throw UsageError("input " + input + ": at most 2^31 - 1 elements");
  return count;
}

std::optional<std::uint64_t> Recipe::count(const std::string& input) const {
  if (input == "demo") return demo;
  if (input == "small") return small;
  if (input == "large") return large;
  return input_count(input);
}

}  // namespace warploom
