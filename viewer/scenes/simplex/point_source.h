#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "gpu/scenes/simplex/simplex.h"
#include "viewer/scenes/simplex/parameters.h"

namespace warploom {

/// The points that a work needs: random, or from a file. A copy keeps what was read.
class ScenePoints {
 public:
  /// Part of the scene's resolve. Throws UsageError or FileError.
  void resolve(SimplexParams& params, const std::set<std::string>& given, const std::filesystem::path& folder);
  /// Null: the work needs none.
  const std::shared_ptr<const Points>& points() const { return points_; }
  std::uint64_t hash() const { return hash_; }

 private:
  void keep(Points points, const std::string& from);

  std::shared_ptr<const Points> points_, loaded_;  ///< what the work uses, if any; and what was last read or made
  std::string loaded_from_;
  std::uint64_t hash_ = 0;  ///< of what was loaded
};

}  // namespace warploom
