#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "viewer/model/model.h"

// States of cells as text, in captured PNGs and in scene texts.

namespace warploom {

/// A longer one is not part of a scene text: a captured PNG keeps it.
inline constexpr std::size_t most_state_text = 16u << 20;

/// A state as run-length text: "WIDTH HEIGHT 12b3o...".
std::string pack_state(const std::vector<std::uint8_t>& cells, std::uint32_t width, std::uint32_t height);
/// Gives such a text to a scene as its start state; `step` and `history` as of StoredState. Throws FileError.
void unpack_state(StoredState& scene, const std::string& text, std::uint64_t step, const std::string& history);

/// The state now of a run that its parameters do not give: packed, with its step and its seal.
struct EditedState {
  std::string cells;  ///< empty: the parameters give it, or it is no plane of cells
  std::uint64_t step = 0, hash = 0;
};
/// Waits for the step under way.
EditedState edited_state(Model& model);
/// Gives it to `then` without making the window wait: at once where there is none, else as Model::read_later.
void with_edited_state(Model& model, std::function<void(const EditedState&)> then);

}  // namespace warploom
