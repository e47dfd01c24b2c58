#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/core/parameter_schema.h"

namespace warploom {

/// What the user sets in the fractal scene: a field and a line in `describe` for each.
struct FractalParams {
  std::string fractal = "sierpinski_gasket";
  std::int64_t level = 8;
  std::int64_t block = 0;
  std::string work = "life";
  std::string rule = "B3/S23";
  double density = .5;
  std::uint64_t seed = 7;
  std::string state;
  std::vector<std::string> tracks{"bounding_box", "lambda_shuffle"};
  std::string constants = "off";
  std::int64_t devices = 1, device_memory = 0;

  void describe(Describer& d, std::vector<Choice> fractals, std::vector<Choice> works, std::vector<Choice> maps);
};

}  // namespace warploom
