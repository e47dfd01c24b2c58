#pragma once
#include <toml++/toml.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/own/text.h"
#include "gpu/tracks/simulation.h"
#include "viewer/model/own_trust.h"
#include "viewer/model/scene.h"

namespace warploom {

/// The texts of own maps and of an own rule that a scene shows, for its text: an array of tables `own`, each with
/// `name` and `source`. Empty: none.
toml::array written_own(Scene& scene);

/// Why a scene takes no own maps; empty: it does.
std::string why_no_own_maps(Scene& scene);

/// A scene brings code that this user never ran here; asked, they may run it.
class UntrustedCode : public UsageError {
 public:
  UntrustedCode(const std::string& what, std::vector<OwnSource> shown) : UsageError(what), texts(std::move(shown)) {}
  const std::vector<OwnSource> texts;  ///< these, and no others that the scene may have when it is read again
};

/// Own maps that came with a scene text; they leave again unless they are kept.
class BroughtOwn {
 public:
  /// Takes in the array `own` of a text. Throws FileError "ORIGIN:LINE: what", UntrustedCode where it is not
  /// trusted, after `show` was given each text that was not run here.
  BroughtOwn(const toml::table& text, const std::string& origin, OwnTrust trust,
             const std::function<void(const OwnSource&)>& show = {});
  ~BroughtOwn();
  BroughtOwn& operator=(BroughtOwn&&) = delete;  // neither copied nor moved
  void keep() { kept_ = true; }
  /// A track or a work of the text, by the name that its map has here.
  std::string known_as(const std::string& word) const;

 private:
  std::map<std::string, std::string> names_;  ///< of the text, "own:fold", to those here
  std::vector<std::string> added_;
  bool kept_ = false;
};

/// The file of a map that --map names: examples are named as they lie in the source tree, "assets/own/box.h", wherever
/// they are installed.
std::string given_map_file(const std::string& file);

/// Remembers that this user ran a text on this machine. A folder that cannot be written is no reason to fail.
void note_own_run(const OwnSource& text) noexcept;
bool own_was_run(const OwnSource& text);
/// ... all texts that tracks run.
void note_own_runs(const Simulation& tracks) noexcept;

}  // namespace warploom
