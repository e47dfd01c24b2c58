#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/pictures/selection.h"
#include "gpu/scenes/butterfly/kernels/report.h"

namespace warploom {

/// A wire of the network after a stage. x: the element. y: the stage, 0 before the first. z: number of stages of the
/// network it was picked in (0: the same network); y is rescaled to the depth of the network that is asked.
inline constexpr const char* wire_space = "wire";

inline Selection wire_selection(std::uint32_t element, int stage, int stages) {
  return {wire_space, {element, static_cast<std::uint32_t>(stage), static_cast<std::uint32_t>(stages)}, 0, {}};
}

/// The stage of a wire in a network of `stages` stages; nullopt when the wire lies past the last stage. Wires come from
/// scene texts, so y and z may be any number.
inline std::optional<int> stage_of_wire(const Index3& wire, int stages) {
  const auto last = static_cast<std::uint32_t>(stages);
  if (wire.y > (wire.z ? wire.z : last)) return std::nullopt;
  return static_cast<int>(wire.z ? std::uint64_t{wire.y} * last / wire.z : wire.y);
}
/// The stage of the selected wire; 0 when no wire of this network is selected.
inline int stage_of_wire(const Selection& selection, int stages) {
  return selection.space == wire_space ? stage_of_wire(selection.at, stages).value_or(0) : 0;
}

/// The window of an FFT that a stage is in.
inline int paired_stage_group(const NetworkReport& network, int stage) {
  return network.by_stage.empty() ? 0 : network.by_stage[static_cast<std::size_t>(stage - 1)].digits.window;
}

/// A track that runs a network of operators. Any thread may ask.
class NetworkFacet {
 public:
  virtual const NetworkReport& network() const = 0;

 protected:
  ~NetworkFacet() = default;
};

}  // namespace warploom
