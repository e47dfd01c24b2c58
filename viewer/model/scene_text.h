#pragma once
#include <filesystem>
#include <string>

#include "viewer/model/model.h"

namespace warploom {

/// The scene as a text (TOML, schema 1): opening it gives the same picture again, step count included. `folder`: of the
/// file it goes to, that relative paths start at; empty: files are named by their whole paths.
std::string scene_text(Model& model, const std::filesystem::path& folder = {});

/// What a scene text asks for beyond parameters and view.
struct LoadedScene {
  std::uint64_t steps = 0;
  std::string warning;  ///< what cannot be reproduced
};

/// Takes a scene text over. `origin` names it in errors, `folder` is where its relative paths start. `state` is a
/// stored state (run-length text), empty for none. Throws FileError or UsageError; the model stays as it was.
LoadedScene read_scene_text(Model& model, const std::string& text, const std::string& origin,
                            const std::filesystem::path& folder, const std::string& state = {});

/// A .toml scene text or a PNG that Warploom captured.
LoadedScene read_scene_file(Model& model, const std::filesystem::path& file);

/// Places and selections as text: "cell:67,251", "thread:A:4,15:3,11", "block:A:4,15".
std::string selection_text(const Selection& selection);
Selection parse_selection(const std::string& text);

/// A state as run-length text for a PNG chunk: "WIDTH HEIGHT 12b3o...".
std::string pack_state(const std::vector<std::uint8_t>& cells, std::uint32_t width, std::uint32_t height);

}  // namespace warploom
