#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace warploom {

/// A track that was asked for, is not compiled, and runs as the nearest that is.
struct Substitute {
  std::string requested, runs, why;
  std::string line() const { return requested + " is not compiled (" + why + "): " + runs + " runs in its place"; }
};

/// A scene whose tracks are not compiled for every setting.
class Substituting {
 public:
  /// For each track that is shown; `requested` is empty where the track itself was asked for.
  virtual std::vector<Substitute> substitutes() const = 0;
  /// What the user is told of them.
  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    for (const Substitute& one : substitutes())
      if (!one.requested.empty()) all.push_back(one.line());
    return all;
  }

 protected:
  ~Substituting() = default;
};

/// What such a scene remembers of names that were asked for.
class TrackSubstitutes {
 public:
  /// Part of a scene's resolve: `tracks` become those that run. `compiled(name)`: the name that runs, and why; equal
  /// names: the track is compiled. `given`: what was asked for before no longer matters.
  void apply(std::vector<std::string>& tracks, bool given,
             const std::function<Substitute(const std::string& name)>& compiled) {
    if (given) known_.clear();
    for (std::string& track : tracks) {
      Substitute found = compiled(track);
      if (found.runs == track) continue;
      found.requested = track;
      track = found.runs;
      known_[track] = std::move(found);
    }
  }
  std::vector<Substitute> of(const std::vector<std::string>& tracks) const {
    std::vector<Substitute> all;
    for (const std::string& track : tracks) {
      const auto found = known_.find(track);
      all.push_back(found == known_.end() ? Substitute{{}, track, {}} : found->second);
    }
    return all;
  }

 private:
  std::map<std::string, Substitute> known_;  ///< by the name that runs
};

}  // namespace warploom
