#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "viewer/model/model.h"
#include "viewer/model/stored_text.h"

namespace warploom {

/// The scene as a text (TOML, schema 1): opening it gives the same picture again, step count included. `folder`: of the
/// file it goes to, that relative paths start at; empty: files are named by their whole paths. A state that the
/// parameters do not give, painted or loaded, is part of the text, unless it is too long for one or stands beside it
/// (`apart`). `edited`: that state, where it was read already (with_edited_state); null: it is read here, which waits
/// for the step under way.
std::string scene_text(Model& model, const std::filesystem::path& folder = {}, const EditedState* edited = nullptr,
                       bool apart = false);

/// How every text of a scene begins that was written here.
std::string scene_text_head(const Scene& scene);

/// "; its state, painted at step 3, is not part of it", where a text lacks a state that belongs to it; else empty.
std::string lost_with(Model& model, const std::string& text);

/// What a scene text asks for beyond parameters and view.
struct LoadedScene {
  std::uint64_t steps = 0;
  std::string warning;  ///< what cannot be reproduced
};

/// Takes a scene text over. `origin` names it in errors, `folder` is where its relative paths start. `beside` is a
/// stored state (run-length text) that stands beside the text; empty: what the text itself holds. Throws FileError or
/// UsageError; the model stays as it was.
LoadedScene read_scene_text(Model& model, const std::string& text, const std::string& origin,
                            const std::filesystem::path& folder, const std::string& beside = {});

/// A .toml scene text or a PNG that Warploom captured.
LoadedScene read_scene_file(Model& model, const std::filesystem::path& file);
/// Whether a .toml or .png is a scene of Warploom, not a mask or just a picture; by what it holds.
bool holds_scene(const std::filesystem::path& file);

/// Longer runs are replayed only on request: they would delay the start, or the return to a scene.
inline constexpr std::uint64_t most_replayed_steps = 4000;

/// Shows another scene as it was left: its parameters, step, painted state, selection and cameras; at its defaults,
/// or small (Model::starts_small), where it was never shown. What the scene that is left was is kept as its scene text,
/// in `Model::left`. Where its state must be read first, this happens in a later frame: the window does not wait for
/// it. So does open_scene.
void show_scene(Model& model, const std::string& key);

/// Opens what `read` reads, and tells `what`, or the warning that comes with it. A step of undo; where it is of another
/// scene, the one that is left is kept, too. Throws what `read` throws, and nothing is changed. `read` may run after
/// the caller returned.
void open_scene(Model& model, const std::string& what, std::function<LoadedScene()> read);

/// Places and selections as text: "cell:67,251", "thread:A:4,15:3,11", "block:A:4,15". `letters`: of the tracks, as
/// Scene::letters.
std::string selection_text(const Selection& selection, const std::string& letters = first_letters);
/// The same as people say it: "thread (1, 1) of block (3, 0) of A". Empty: nothing is selected.
std::string selection_words(const Selection& selection, const std::string& letters = first_letters);
Selection parse_selection(const std::string& text, const std::string& letters = first_letters);

}  // namespace warploom
