// What a track of butterflies tells of a wire, or of a value of its output.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "gpu/scenes/butterfly/devices/team_transform.h"
#include "gpu/scenes/butterfly/tracks/arithmetic.h"
#include "gpu/scenes/butterfly/tracks/track.h"

namespace warploom {

namespace {

std::string value_words(const std::uint8_t* element, const RowShape& shape) {
  float f[4];
  std::memcpy(f, element, std::min<std::size_t>(shape.bytes, sizeof f));
  if (shape.width == 4) return fmt::format("{:.3g} {:.3g} {:.3g} | {:.3g}", f[0], f[1], f[2], f[3]);
  if (shape.numpy[1] == 'c') return fmt::format("{:.4g} {} {:.4g}i", f[0], f[1] < 0 ? '-' : '+', std::abs(f[1]));
  if (shape.numpy[1] == 'f') return fmt::format("{:.6g}", f[0]);
  std::uint32_t word[2];
  std::memcpy(word, element, std::min<std::size_t>(shape.bytes, sizeof word));
  if (shape.width == 2) return fmt::format("{} x + {}", word[0], word[1]);
  if (shape.numpy[1] == 'i') return std::to_string(static_cast<std::int32_t>(word[0]));
  return std::to_string(word[0]);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ButterflyTrack::describe(const Selection& selection) const {
  if (selection.space == wire_space) return describe_wire(selection);
  if (selection.space == output_space) return describe_output(selection);
  return {};
}

std::vector<std::pair<std::string, std::string>> ButterflyTrack::describe_wire(const Selection& selection) const {
  const auto staged = staged_last();
  const auto picked = stage_of_wire(selection.at, report_);
  const int n = variant_.mapping.n;
  const std::uint32_t e = selection.at.x;
  if (!staged || !tells_stages() || e >= staged->trace.elements) return {};
  if (!picked && !is_of_a_network(selection.at)) return {};
  if (!picked) return {{"stage", "no such stage here"}};
  const int stage = *picked;
  const RowShape shape = transform_->step_shape();
  const auto value = [&](int at, std::uint64_t element) {
    const std::uint64_t i = static_cast<std::uint64_t>(at) * staged->trace.elements + element;
    return value_words(&staged->trace.steps[i * shape.bytes], shape);
  };
  std::string digits;
  for (int d = n; d >= 1; --d) digits += static_cast<char>('0' + (e >> (d - 1) & 1));
  std::vector<std::pair<std::string, std::string>> rows;
  rows.emplace_back("stage", fmt::format("{} of {}", stage, report_.stages));
  rows.emplace_back("value", value(stage, e));
  if (stage == report_.stages && !report_.operator_string.empty())
    rows.emplace_back("output", std::to_string(reversed_digits(e, n)));
  if (stage > 0 && !report_.by_stage.empty()) {
    const NetworkStage paired = report_.by_stage[static_cast<std::size_t>(stage - 1)].digits;
    // The digits that it pairs in brackets.
    if (paired.high) {
      digits.insert(static_cast<std::size_t>(n - paired.low) + 1, "]");
      digits.insert(static_cast<std::size_t>(n - paired.high), "[");
    }
  }
  rows.emplace_back("digits", digits);
  if (const auto* team = dynamic_cast<const TeamTransform*>(transform_.get()); team && team->device_at(stage, e) >= 0) {
    const int now = team->device_at(stage, e), before = stage > 0 ? team->device_at(stage - 1, e) : now;
    rows.emplace_back("device", now == before
                                    ? fmt::format("{} (0 to {})", now, variant_.devices - 1)
                                    : fmt::format("{} (0 to {}), before {}", now, variant_.devices - 1, before));
  }
  if (!locations_.empty()) {
    const std::uint64_t slots = std::uint64_t{1} << variant_.mapping.s;
    const std::int32_t* at = &locations_[(static_cast<std::uint64_t>(stage) * slots + e) * 3];
    rows.emplace_back("thread", fmt::format("{}, register {}", at[0], at[1]));
    if (at[2] >= 0) rows.emplace_back("came by", fmt::format("byte {}, bank {}", at[2], at[2] / 4 % 32));
  }
  constexpr int most_operands = 16;
  int shown = 0;
  NodeMade made{&settings(), &variant_, shape, {}, stage, e, {}};
  if (stage > 0 && !report_.by_stage.empty())
    made.digits = report_.by_stage[static_cast<std::size_t>(stage - 1)].digits;
  // Edges lie by stage and by what they lead to.
  const auto key = [](const NetworkEdge& edge) { return std::pair(edge.stage, edge.to); };
  const std::pair wanted(stage, static_cast<std::int32_t>(e));
  auto edge = std::lower_bound(edges_.begin(), edges_.end(), wanted,
                               [&](const NetworkEdge& one, const auto& other) { return key(one) < other; });
  for (; edge != edges_.end() && key(*edge) == wanted; ++edge) {
    const auto at =
        static_cast<std::uint64_t>(stage - 1) * staged->trace.elements + static_cast<std::uint64_t>(edge->from);
    made.operands.push_back(
        {static_cast<std::uint32_t>(edge->from), edge->role, &staged->trace.steps[at * shape.bytes]});
    if (++shown <= most_operands)
      rows.emplace_back("from " + std::to_string(edge->from),
                        value(stage - 1, static_cast<std::uint64_t>(edge->from)) +
                            words_of_edges[static_cast<std::size_t>(edge->where)].way);
  }
  if (shown > most_operands) rows.emplace_back("", fmt::format("and {} more", shown - most_operands));
  if (stage > 0 && shown == 0) rows.emplace_back("from " + std::to_string(e), "passes this stage");
  for (auto& line : node_arithmetic(made)) rows.push_back(std::move(line));
  return rows;
}

std::vector<std::pair<std::string, std::string>> ButterflyTrack::describe_output(const Selection& selection) const {
  const Index3 at = selection.at;
  if (at.x >= out_.elements || at.y >= settings().batch) return {};
  std::vector<std::pair<std::string, std::string>> rows;
  rows.emplace_back("row", fmt::format("{}, element {}", at.y, at.x));
  if (const auto looked = looked_up(selection)) rows.emplace_back("value", value_words(looked->data(), out_));
  const auto who = holder_of(selection);
  if (!who) return rows;
  rows.emplace_back("block", std::to_string(who->block));
  const std::uint32_t thread = (who->thread.y << variant_.mapping.threads_x()) + who->thread.x;
  rows.emplace_back("thread", fmt::format("{}, register {}", thread, who->item));
  return rows;
}

}  // namespace warploom
