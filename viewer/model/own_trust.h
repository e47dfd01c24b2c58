#pragma once
#include <string>

namespace warploom {

/// Whose code is run that comes with a scene: nobody's, that of texts which this user ran before, or everybody's. What
/// is loaded already is run in any case.
enum class OwnTrust { none, known, all };

/// An own map, "own:fold", and the file that its text came from.
struct OwnFile {
  std::string name, path;
};

}  // namespace warploom
