#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gpu/core/parameter_schema.h"
#include "gpu/scenes/irregular/irregular.h"

namespace warploom {

/// What the user sets in the scene of irregular algorithms: a field and a line in `describe` for each.
struct IrregularParams {
  std::string system = "spmv";
  std::uint64_t seed = 7;
  std::string matrix = "circuit", values = "integer", hyb_width = "bytes";
  std::int64_t n = 0, row_lanes = 0, items = 8, sigma = 1024;
  std::string keys = "voxels", hash = "mixed";
  std::int64_t side = 64, bucket = 8, count = 0;
  double hits = .5, load = .7;
  std::string points = "clusters";
  std::int64_t dimension = 2, leaf = 1, compact_every = 1;
  std::string application = "mandelbrot", clock = "auto", timeline = "off";
  std::int64_t size = 512, iterations = 256, grain = 64, blocks = 0, capacity = 1 << 18;
  double probability = .12;
  std::vector<std::string> tracks{"ell/row", "hyb/row"};

  IrregularSettings settings(const std::filesystem::path& folder) const;
  void describe(Describer& d, std::vector<Choice> systems, std::vector<Choice> maps);

 private:
  // One a system, described where its values have an effect.
  void describe_spmv(Describer& d);
  void describe_hash(Describer& d);
  void describe_tree(Describer& d);
  void describe_tasks(Describer& d);
  /// Empty while the system is among these, else that it has no such thing.
  std::string only(std::initializer_list<const char*> systems, const char* thing) const;
};

}  // namespace warploom
