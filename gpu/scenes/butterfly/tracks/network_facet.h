#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/pictures/selection.h"
#include "gpu/scenes/butterfly/kernels/report.h"

namespace warploom {

/// A wire of a network after a stage. x: the element. y: the stage, 0 before the first. z: the network, as
/// number * wire_networks + its number of stages (number 0: any of so many stages); z = 0: any network.
/// All FFTs share one form: y counts the digits that are paired, of z. So a wire means the same data in every track.
inline constexpr const char* wire_space = "wire";
inline constexpr std::uint32_t wire_networks = 1000;

inline Selection wire_selection(std::uint32_t element, int stage, const NetworkReport& network) {
  const auto& paired = network.digits_paired;
  const int y = paired.empty() ? stage : paired[static_cast<std::size_t>(stage)];
  const std::uint32_t z = paired.empty() ? static_cast<std::uint32_t>(network.number) * wire_networks +
                                               static_cast<std::uint32_t>(network.stages)
                                         : static_cast<std::uint32_t>(network.mapping.n);
  return {wire_space, {element, static_cast<std::uint32_t>(y), z}, 0, {}};
}

/// Where a wire's network ends: its last y; z must not be 0.
inline std::uint32_t last_of_wire(const Index3& wire) { return wire.z % wire_networks; }

/// The stage after which this network holds the same data as the wire: input and output of every network, the same
/// stage of the same network, as many paired digits of another FFT. Nullopt: it has no such stage. Wires come from
/// scene texts, so y and z may be any number.
inline std::optional<int> stage_of_wire(const Index3& wire, const NetworkReport& own) {
  const std::uint32_t last = last_of_wire(wire), number = wire.z / wire_networks;
  if (wire.y > (wire.z ? last : static_cast<std::uint32_t>(own.stages))) return std::nullopt;
  const int y = static_cast<int>(wire.y);
  if (wire.z == 0 || y == 0) return y;
  if (wire.y == last) return own.stages;
  const auto& paired = own.digits_paired;
  if (number == 0 && !paired.empty() && last == static_cast<std::uint32_t>(own.mapping.n)) {
    const auto found = std::find(paired.begin(), paired.end(), y);
    if (found == paired.end()) return std::nullopt;
    return static_cast<int>(found - paired.begin());
  }
  const bool same = last == static_cast<std::uint32_t>(own.stages) &&
                    (number == 0 || number == static_cast<std::uint32_t>(own.number));
  return same ? std::optional(y) : std::nullopt;
}
/// Whether the wire is of some network, even if not of the caller's: one past the end of its own is of none.
inline bool is_of_a_network(const Index3& wire) { return wire.z != 0 && wire.y <= last_of_wire(wire); }
/// The stage of the selected wire; 0 when no wire of this network is selected.
inline int stage_of_wire(const Selection& selection, const NetworkReport& network) {
  return selection.space == wire_space ? stage_of_wire(selection.at, network).value_or(0) : 0;
}

/// The window of an FFT that a stage is in.
inline int paired_stage_group(const NetworkReport& network, int stage) {
  return network.by_stage.empty() ? 0 : network.by_stage[static_cast<std::size_t>(stage - 1)].digits.window;
}

/// A track that runs a network of operators. Any thread may ask.
class NetworkFacet {
 public:
  virtual const NetworkReport& network() const = 0;
  /// Whether its stages are known, and the edges between them: of rows that fit a block and are short enough to be
  /// drawn.
  virtual bool tells_stages() const = 0;

 protected:
  ~NetworkFacet() = default;
};

}  // namespace warploom
