#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/own/text.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// What a source is made of that runs a track outside the program (gpu/own/export.inc).
struct ExportParts {
  std::vector<std::string> host_headers;  ///< files of the kit that no kernel needs
  std::vector<std::string> headers;       ///< files of the kit, the map's and the work's last
  std::string constants;                  ///< C++ before the scene's end: "constexpr int level = 8;"
  std::string end;                        ///< file of the kit: the scene's end
  std::string run;                        ///< C++ behind it: the type of the run
  std::shared_ptr<const OwnSource> text;  ///< of an own map; null: it is built in
  std::vector<float> points;              ///< from a file; else empty
  std::uint64_t points_row = 1;           ///< coordinates of a point

  // Of a Python file.
  std::vector<std::string> python;   ///< files of the kit: the work, the scene, the storage
  std::string settings;              ///< Python before them: "level = 8"
  std::string track;                 ///< C++ before the kernels: what they run
  std::vector<std::uint32_t> table;  ///< what the map looks up
  bool products = false;             ///< it multiplies by tensor cores, which takes CUDA's own headers
};

/// A track that can be taken home as a source: a map under a work.
class Exported : public FacetBase {
 public:
  /// Throws UsageError where it cannot be at these settings, and why.
  virtual ExportParts export_parts() const = 0;
};

}  // namespace warploom
