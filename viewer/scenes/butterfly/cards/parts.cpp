#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gpu/scenes/butterfly/bench/suites.h"
#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "viewer/panels/cards/cards.h"
#include "viewer/panels/plots/plots.h"

namespace warploom {

void network_card(PanelContext& panel);
CardOf<NetworkFacet> mapping_card, banks_card, resources_card;
ui::Figure depth_figure(PanelContext& panel);
std::string depth_missing(const PanelContext& panel);

namespace {

using Json = nlohmann::ordered_json;

Json digits_json(const Digits& digits) {
  Json all = Json::array();
  for (int i = 0; i < digits.count; ++i) all.push_back(digits.at[i]);
  return all;
}

/// Digits count from 0, the lowest; of a batch they stand above those of a row.
Json steps_json(const Plan& plan) {
  Json all = Json::array();
  for (int i = 0; i < plan.steps; ++i) {
    const PlanStep& step = plan.step[i];
    const Words& words = step.into.words;
    all.push_back(
        {{"stages", step.first <= step.last ? Json{step.first, step.last} : Json()},
         {"register", digits_json(step.at.registers)},
         {"thread", digits_json(step.at.thread)},
         {"words", step.into.none ? Json() : Json{{"order", digits_json(words.order)}, {"a", words.a}, {"b", words.b}}},
         {"in_warp", step.into.in_warp},
         {"launch", step.launch}});
  }
  return all;
}

Json network_json(const NetworkReport& network) {
  const auto or_null = [](int value) { return value ? Json(value) : Json(); };
  const NetworkMapping& at = network.mapping;
  const bool serial = network.by_stage.empty() && at.s == 0;
  Json json{{"elements", network.elements},
            {"stages", network.stages},
            {"depth", network.stages},
            {"operators", network.operators},
            {"launches", network.launches},
            {"devices", network.devices},
            {"values", network.values ? Json(*network.values) : Json()},
            {"link_exchanges", network.link_exchanges ? Json(*network.link_exchanges) : Json()}};
  const int in_block = std::min(at.n, at.s);
  json["mapping"] = {{"n", at.n},
                     {"p", at.p},
                     {"s", serial ? at.n + 7 : at.s},
                     {"l", {serial ? 0 : in_block - at.p, serial ? 7 : std::max(0, at.s - at.n)}},
                     {"blocks", network.blocks}};
  json["exchanges"] = network.exchanges;
  json["barriers"] = network.barriers();
  json["shared_bytes"] = network.shared_bytes;
  json["word_bytes"] = network.word_bytes ? Json(network.word_bytes) : Json();
  json["registers"] = network.resources ? Json(network.resources->registers) : Json();
  json["occupancy"] = network.resources ? Json(network.resources->occupancy) : Json();
  json["string"] = network.operator_string.empty() ? Json() : Json(network.operator_string);
  json["program"] = network.tuned ? "tuned" : "general";
  json["steps"] = network.tuned ? steps_json(*network.tuned) : Json();
  if (network.tuned) json["replicated"] = network.replicated;
  json["ring"] = nullptr;
  if (network.ring.bytes) json["ring"] = {{"bytes", network.ring.bytes}, {"lag", network.ring.lag}};
  json["by_stage"] = nullptr;
  for (std::size_t j = 0; j < network.by_stage.size(); ++j) {
    const StageReport& stage = network.by_stage[j];
    // Digits of the device's number, the highest first.
    Json device_digits = Json::array();
    if (network.devices > 1 && !network.places.empty())
      for (std::size_t d = network.places[j + 1].size(); d > 0; --d)
        if (network.places[j + 1][d - 1].of == DigitPlace::Of::device) device_digits.push_back(d);
    const auto wavefronts = [](const Wavefronts& cost) {
      return Json{{"wavefronts", cost.taken}, {"ideal", cost.ideal}};
    };
    Json edges;
    for (std::size_t k = 0; k < edge_kinds; ++k) edges[words_of_edges[k].key] = stage.edges[k];
    json["by_stage"].push_back(
        {{"digits", stage.digits.high ? Json{or_null(stage.digits.high), or_null(stage.digits.low)} : Json()},
         {"operators", stage.operators},
         {"active", stage.active},
         {"values", network.values ? Json(stage.values) : Json()},
         {"device_digits", device_digits},
         {"edges", std::move(edges)},
         {"write", wavefronts(stage.cost.write)},
         {"read", wavefronts(stage.cost.read)}});
  }
  return json;
}

/// Null for tracks of others' libraries.
Json network_stats(const Track& track) {
  const auto* facet = track.facet<NetworkFacet>();
  return facet ? network_json(facet->network()) : Json();
}

/// Each track tells which stage of its own it is.
std::string wire_title(const Index3& at) {
  if (at.z == 0) return fmt::format("wire {}, stage {}", at.x, at.y);
  const char* const end = at.y == 0 ? ", input" : at.y == last_of_wire(at) ? ", output" : "";
  return fmt::format("wire {}{}", at.x, end);
}

}  // namespace

const SceneParts& butterfly_parts() {
  static const SceneParts parts{
      .cards = {card_of_all<NetworkFacet, network_card>(Card::Panel::right),
                card_of_active<NetworkFacet, mapping_card>(Card::Panel::right),
                card_of_active<NetworkFacet, banks_card>(Card::Panel::right),
                card_of_active<NetworkFacet, resources_card>(Card::Panel::right)},
      .plots = {{"depth", "Depth and operators",
                 "The work of each variant on a problem, and how much of it is sequential.", depth_figure,
                 depth_missing}},
      .spaces = {{wire_space, "X,Y", false, wire_title}, {"output", "X,Y", false}},
      .terms = {{"bank",
                 "One of the 32 parts of shared memory: word k lies in bank k mod 32, and each bank serves one word "
                 "at a time."},
                {"bank conflict",
                 "Lanes of a warp that access different words of one bank: the bank serves them one after another."},
                {"barrier", "A point that all threads of a block reach before any goes on: __syncthreads in CUDA."},
                {"bit reversal",
                 "The order in which an FFT's results come: the bits of their number reversed. The wires at the right "
                 "of a network put them in order."},
                {"device",
                 "A card that works by itself, with memory of its own. Several share out the rows of a batch, or the "
                 "elements of each row; without such cards pools of CPU threads stand for them."},
                {"exchange", "Elements move to other threads between two stages, through shared memory or shuffles."},
                {"link", "What joins devices: values that another device needs cross it between two stages."},
                {"network", "A fixed pattern of stages in which elements are combined, whatever their values are."},
                {"occupancy", "Warps that a multiprocessor holds at a time, as a share of the most that it can hold."},
                {"operator", "A node of a network: it combines two or more elements into as many new ones."},
                {"radix", "How many elements a node combines: a radix 8 needs a third of the stages of radix 2."},
                {"register", "Memory of one thread, the fastest there is: what lies there needs no exchange."},
                {"shared memory", "Memory of a block, on the multiprocessor, in 32 banks: __shared__ in CUDA."},
                {"shuffle",
                 "A lane reads a register of another lane of its warp, without shared memory. Of tuned programs all "
                 "that stays in "
                 "a warp counts as one, though it goes through words of its own."},
                {"stage", "The nodes of a network that can run at the same time: none waits for another of them."},
                {"tuned program",
                 "One whose plan, which digit of an element's number is in which register, lane and warp, is known "
                 "when it is compiled: it computes no addresses while it runs, and what stays in a warp needs no "
                 "barrier. The others are general programs, and ask the plan as they run."},
                {"twiddle", "The complex number of absolute value 1 that an FFT multiplies an element by."},
                {"waterfall", "The last outputs of one row, one above the other: the newest is above."},
                {"wavefront", "One pass over the banks of shared memory; an access with conflicts takes several."},
                {"wire", "The line of one element through the stages of a network."}},
      .stats = {{"network", network_stats}},
      .suites = {bench::butterfly_suite()},
      .variants = "how stages exchange values, and how these lie in shared memory",
  };
  return parts;
}

}  // namespace warploom
