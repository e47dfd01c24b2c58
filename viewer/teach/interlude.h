#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "viewer/model/model.h"

namespace warploom {

/// What a learner had before a tour or a puzzle took the window: scenes, state, view, undo. It comes back in the end.
class Interlude {
 public:
  /// Keeps it, and shows a scene as at a first start; `prepare` may change it before it is built. Where the state of
  /// what is left must be read first, this happens in a later frame (Model::reading).
  void begin(Model& model, const std::string& scene, const std::filesystem::path& folder,
             std::function<std::unique_ptr<Scene>()> prepare = {});
  void end(Model& model);
  /// The scene text of what was there before; empty: nothing was.
  const std::string& before() const { return text_; }

 private:
  std::string text_;
  Model::Kept kept_;
  std::map<std::string, std::string> left_;
  std::shared_ptr<Model::History> history_;
  bool had_tracks_ = false, had_editor_ = false, had_words_ = false;
};

/// A scene text over the model; how the window looks is the learner's own.
void take_text(Model& model, const std::string& text, const std::filesystem::path& folder);

}  // namespace warploom
