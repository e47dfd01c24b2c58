// What a track of butterflies does otherwise than another: the lesson of the two.
#include <fmt/format.h>

#include "gpu/core/format.h"
#include "gpu/scenes/butterfly/tracks/track.h"

namespace warploom {

namespace {

/// How many times as long the exchanges of a block take for bank conflicts; 1: there are none.
double slowed_by_conflicts(const NetworkReport& network) {
  Wavefronts all;
  for (const StageReport& stage : network.by_stage) all += stage.cost.write, all += stage.cost.read;
  return all.ideal ? static_cast<double>(all.taken) / static_cast<double>(all.ideal) : 1;
}

}  // namespace

std::vector<std::string> ButterflyTrack::against(const Track& other, const std::string& name) const {
  const auto* theirs = other.facet<NetworkFacet>();
  if (!theirs) return {};
  const NetworkReport &own = report_, &base = theirs->network();
  // Of rows that devices share out, what crosses the link decides.
  if (own.values && base.values && *own.values != *base.values)
    return {fmt::format("sends {} over the link, {} {}", counted(*own.values, "value"), name, grouped(*base.values))};
  if (own.devices != base.devices) {
    const auto runs = [](const NetworkReport& network) {
      return counted(static_cast<unsigned long long>(network.devices), "device") +
             (network.values && *network.values ? ", which exchange " + counted(*network.values, "value") : "");
    };
    return {fmt::format("runs on {}; {} runs on {}", runs(own), name, runs(base))};
  }
  if (own.values && *own.values)
    return {fmt::format("sends {} over the link, as {} does", counted(*own.values, "value"), name)};
  if (own.launches != base.launches) {
    const auto times = [](std::uint64_t count) { return count == 1 ? std::string("once") : counted(count, "time"); };
    return {fmt::format("passes over the data in memory {}, {} {}", times(own.launches), name, times(base.launches))};
  }
  // What a tuned program is there for: where digits are decides what waits.
  if ((own.tuned != nullptr) != (base.tuned != nullptr) && own.barriers() != base.barriers() && !own.by_stage.empty()) {
    const auto needs = [](std::uint64_t count) {
      return count == 0 ? std::string("no barrier") : counted(count, "barrier");
    };
    const char* const why = own.barriers() == 0 ? ": what threads exchange stays within a warp" : "";
    return {fmt::format("needs {}{}; {} needs {}", needs(own.barriers()), why, name,
                        base.barriers() == 0 ? "none" : std::to_string(base.barriers()))};
  }
  const std::string stages = "takes " + counted(static_cast<std::uint64_t>(own.stages), "stage"),
                    exchanges = " and " + (own.exchanges ? counted(own.exchanges, "exchange") + " between threads"
                                                         : std::string("no exchange through shared memory"));
  if (own.operator_string.empty() && (own.operators != base.operators || own.exchanges != base.exchanges))
    return {fmt::format("{}, {}{}; {} takes {}, {} and {}", stages, counted(own.operators, "operator"), exchanges, name,
                        base.stages, grouped(base.operators), base.exchanges)};
  if (own.stages != base.stages || own.exchanges != base.exchanges)
    return {fmt::format("{}{}; {} takes {} and {}", stages, exchanges, name, base.stages, base.exchanges)};
  const double slowed = slowed_by_conflicts(own), their_slowed = slowed_by_conflicts(base);
  if (slowed == their_slowed) return {};
  if (slowed <= 1)
    return {
        fmt::format("has no bank conflicts; those of {} make its exchanges {:.2g} times as long", name, their_slowed)};
  return {fmt::format("exchanges {:.2g} times as long for bank conflicts, {} {}", slowed, name,
                      their_slowed > 1 ? fmt::format("{:.2g} times", their_slowed) : std::string("not at all"))};
}

}  // namespace warploom
