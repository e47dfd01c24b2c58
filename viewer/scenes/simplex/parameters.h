#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/core/parameter_schema.h"
#include "gpu/scenes/simplex/simplex.h"

namespace warploom {

/// Each has a field and a line in `describe`.
struct SimplexParams {
  static constexpr std::int64_t usual_block = 8;

  std::string domain = "tetrahedron";
  std::int64_t n = 96;
  std::int64_t block = usual_block;
  std::string coarsen = "1", gang = "1";  ///< numbers, or "auto"
  std::string work = "automaton";
  std::string rule = "B1/S12";
  double density = .5;
  std::uint64_t seed = 7;
  std::string points = "0";
  std::vector<std::string> tracks{"bounding_box", "root_exact"};
  std::string constants = "off";

  /// Null where the domain has no such work: before the values are resolved.
  const SimplexWork* known_work() const { return simplex_work_of(find_simplex_kind(domain).dimensions, work); }
  /// Empty where the work has it, else says that it has not.
  std::string lacks(bool (*has)(const SimplexWork&), const char* words) const {
    const SimplexWork* known = known_work();
    return !known || has(*known) ? "" : "work '" + work + "' " + words;
  }

  /// The largest side of a block: larger where threads serve several cells.
  std::int64_t most_block() const { return coarsen == "1" ? find_simplex_kind(domain).most_block : most_simplex_block; }
  /// As in settings: "auto" is 0.
  static std::uint32_t number_of(const std::string& value) {
    return value == "auto" ? 0 : static_cast<std::uint32_t>(std::stoul(value));
  }

  void describe(Describer& d, std::vector<Choice> domains, std::vector<Choice> works, std::vector<Choice> maps,
                std::vector<Choice> coarsenings);
};

}  // namespace warploom
