#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gpu/core/parameter_schema.h"
#include "gpu/scenes/butterfly/butterfly.h"

namespace warploom {

/// What the user sets in the scene of butterflies: a field and a line in `describe` for each.
struct ButterflyParams {
  std::string algorithm = "fft";
  std::int64_t n = 6, batch = 64;
  std::string signal = "tones", curve = "0 1 0 -1 0", direction = "forward";
  std::string scan_operator = "add", scan = "inclusive";
  std::int64_t axes = 1, p = -1, s = 0, devices = 1, device_memory = 0, row = 0, trace = 0;
  std::string split = "elements", order = "left", operators;
  std::uint64_t seed = 7;
  std::vector<std::string> tracks{"radix2", "radix8"};

  ButterflySettings settings(const std::filesystem::path& folder) const;
  void describe(Describer& d, std::vector<Choice> algorithms, std::vector<Choice> signals, std::vector<Choice> maps);

 private:
  /// Why p and s have no effect on the tracks, or on some of them; empty: they have.
  std::string own_mapping(bool of_all) const;
  /// Whether any track runs on several devices, or may.
  bool shares_out() const;
  /// Why the seed has no effect; empty: it has.
  std::string no_seed() const;
  /// Empty where the algorithm is among these, else that it has no such thing.
  std::string only(std::initializer_list<const char*> algorithms, const char* thing) const;
};

}  // namespace warploom
