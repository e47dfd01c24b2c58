// The stages of one problem as pictures have them.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "gpu/core/format.h"
#include "gpu/scenes/butterfly/pictures/row_magnitude.h"
#include "gpu/scenes/butterfly/tracks/track.h"

namespace warploom {

namespace {

/// What a step of a trace is shown by: its magnitude; and its bars, `with_sign`: what has one keeps it.
float shown_value(const std::uint8_t* element, const RowShape& shape, bool with_sign) {
  const auto real = [&](float value) { return with_sign ? value : std::abs(value); };
  float f[4];
  std::memcpy(f, element, std::min<std::size_t>(shape.bytes, sizeof f));
  if (shape.width == 4) return real(f[3] / f[1]);  // an equation: what its unknown is but for its neighbours
  if (shape.numpy[1] == 'c') return with_sign ? f[0] : std::hypot(f[0], f[1]);
  if (shape.numpy[1] == 'f') return real(f[0]);
  std::uint32_t word;  // of pairs: what is added, with its sign
  std::memcpy(&word, element + (shape.width - 1) * sizeof word, sizeof word);
  const bool has_sign = shape.width == 2 || shape.numpy[1] == 'i';
  return with_sign && has_sign ? static_cast<float>(static_cast<std::int32_t>(word)) : static_cast<float>(word);
}

/// Bars of 1 at most; what is no number has none. Whether any goes below 0.
bool scale_bars(float* first, float* last) {
  float most = 0;
  bool below = false;
  for (float* one = first; one != last; ++one) {
    if (!std::isfinite(*one)) *one = 0;
    most = std::max(most, std::abs(*one));
    below = below || *one < 0;
  }
  for (float* one = first; one != last && most > 0; ++one) *one /= most;
  return below;
}

/// Shades of all stages, and bars of the first and the last.
void shade(StagedValues& staged, const RowShape& shape, const ButterflyTrack& track) {
  const auto element = [&](std::size_t i) { return &staged.trace.steps[i * shape.bytes]; };
  const std::size_t count = staged.trace.steps.size() / shape.bytes, elements = staged.trace.elements;
  staged.shades.resize(count);
  float top = 0;
  for (std::size_t i = 0; i < count; ++i) {
    staged.shades[i] = shown_value(element(i), shape, false);
    if (std::isfinite(staged.shades[i])) top = std::max(top, staged.shades[i]);
  }
  const bool decibels = shape.numpy[1] == 'c';
  for (float& one : staged.shades) one = shade_of_magnitude(one, top, decibels);
  staged.bars.resize(2 * elements);
  for (const bool at_output : {false, true}) {
    const std::size_t first = at_output ? count - elements : 0;
    float* const own = &staged.bars[at_output ? elements : 0];
    for (std::size_t e = 0; e < elements; ++e)
      own[e] = track.is_spectrum(at_output) ? staged.shades[first + e] : shown_value(element(first + e), shape, true);
    // What is drawn by hand has room on both sides.
    const bool drawn =
        !at_output && track.problem().settings.signal == "drawn" && (shape.numpy[1] != 'u' || shape.width == 2);
    const bool below = scale_bars(own, own + elements) || (drawn && !track.is_spectrum(false));
    staged.kinds[at_output] = below ? NetworkValues::Bars::centred : NetworkValues::Bars::away;
  }
}

}  // namespace

bool ButterflyTrack::is_spectrum(bool at_output) const {
  return step_shape().numpy[1] == 'c' && settings().inverse != at_output;
}

std::shared_ptr<const StagedValues> ButterflyTrack::staged_last() const {
  const std::lock_guard lock(staged_mutex_);
  return staged_;
}

std::shared_ptr<const StagedValues> ButterflyTrack::staged(Queue& queue, std::uint64_t problem) {
  const std::lock_guard one_at_a_time(tracing_);
  if (!tells_stages() || problem >= settings().batch) return nullptr;
  const StatePair::Reader reader(states_, queue);
  auto last = staged_last();
  if (last && last->serial == reader.serial() && last->problem == problem) return last;
  const std::uint8_t* row =
      input(static_cast<int>(reader.index())).data() + problem * (variant_.interleaved ? in_.bytes : in_.row_bytes());
  Buffer<std::uint64_t> singular(queue.backend(), 1);
  auto next = std::make_shared<StagedValues>();
  next->serial = reader.serial();
  next->problem = problem;
  next->trace = transform_->trace(queue, row, {}, singular.data());
  shade(*next, step_shape(), *this);
  const std::lock_guard lock(staged_mutex_);
  staged_ = next;
  return next;
}

void ButterflyTrack::ask(Queue& questions, const Selection& selection) {
  const Index3 at = selection.at;
  // The stages are traced when a picture needs them; a question that comes before the first picture needs them, too.
  if (selection.space == wire_space && !staged_last()) (void)staged(questions, problem_shown());
  if (selection.space != output_space || at.x >= out_.elements || at.y >= settings().batch) return;
  const StatePair::Reader reader(states_, questions, std::try_to_lock);
  if (!reader) return;
  {
    const std::lock_guard lock(looked_mutex_);
    if (looked_.serial == reader.serial() && looked_.at == at) return;
  }
  Looked next{reader.serial(), at, std::vector<std::uint8_t>(out_.bytes)};
  const std::uint64_t i = variant_.interleaved ? at.x * settings().batch + at.y : at.y * out_.elements + at.x;
  download_bytes(questions, next.value.data(), output_[reader.index()].data() + i * out_.bytes, out_.bytes);
  const std::lock_guard lock(looked_mutex_);
  looked_ = std::move(next);
}

std::optional<std::vector<std::uint8_t>> ButterflyTrack::looked_up(const Selection& selection) const {
  const std::lock_guard lock(looked_mutex_);
  if (looked_.value.empty() || !(looked_.at == selection.at)) return std::nullopt;
  return looked_.value;
}

std::optional<Holder> ButterflyTrack::holder(int stage, std::uint64_t problem, std::uint32_t element) const {
  const NetworkMapping& mapping = variant_.mapping;
  if (is_shared_out()) return std::nullopt;  // the grids of several devices are not drawn
  if (locations_.empty() || element >> mapping.n || stage > report_.stages || problem >= settings().batch)
    return std::nullopt;
  const std::uint64_t slots = std::uint64_t{1} << mapping.s, rows = std::uint64_t{1} << mapping.threads_y();
  const std::uint64_t slot = ((problem & (rows - 1)) << mapping.n) + element;
  const std::int32_t* at = &locations_[(static_cast<std::uint64_t>(stage) * slots + slot) * 3];
  const auto thread = static_cast<std::uint32_t>(at[0]), wide = 1u << mapping.threads_x();
  return Holder{problem >> mapping.threads_y(), {thread % wide, thread / wide, 0}, at[1]};
}

Selection ButterflyTrack::held(int stage, const Holder& who) const {
  const NetworkMapping& mapping = variant_.mapping;
  // A thread of a plan may hold elements of any row of its block; of most the row is the thread's own.
  const std::uint64_t first = who.block << mapping.threads_y(), rows = std::uint64_t{1} << mapping.threads_y();
  for (std::uint64_t i = 0; i < (report_.tuned ? rows : 1); ++i) {
    const std::uint64_t problem = first + (who.thread.y + i) % rows;
    if (problem >= settings().batch) continue;
    for (std::uint32_t e = 0; e >> mapping.n == 0; ++e)
      if (const auto found = holder(stage, problem, e); found && *found == who) {
        if (problem == problem_shown()) return wire_selection(e, stage, report_);
        const std::uint32_t at = report_.operator_string.empty() ? e : reversed_digits(e, mapping.n);
        return {output_space, {at, static_cast<std::uint32_t>(problem), 0}, 0, {}};
      }
  }
  return {};
}

std::optional<Holder> ButterflyTrack::holder_of(const Selection& selection) const {
  const Index3 at = selection.at;
  if (selection.space == wire_space) {
    const auto stage = stage_of_wire(at, report_);
    return stage ? holder(*stage, problem_shown(), at.x) : std::nullopt;
  }
  if (selection.space != output_space || at.x >> variant_.mapping.n) return std::nullopt;
  const std::uint32_t e = report_.operator_string.empty() ? at.x : reversed_digits(at.x, variant_.mapping.n);
  return holder(report_.stages, at.y, e);
}

Selection ButterflyTrack::stage_after(const Selection& picked, int by) const {
  if (report_.places.empty()) return {};
  const bool is_wire = picked.space == wire_space;
  const int now = stage_of_wire(picked, report_), next = is_wire ? now + by : by > 0 ? 1 : 0;
  return wire_selection(is_wire ? picked.at.x : 0, std::clamp(next, 0, report_.stages), report_);
}

Selection ButterflyTrack::element_after(const Selection& picked, int by) const {
  if (picked.space != wire_space) return stage_after(picked, by);
  const std::int64_t last = (std::int64_t{1} << variant_.mapping.n) - 1;
  Selection next = picked;
  next.at.x = static_cast<std::uint32_t>(std::clamp<std::int64_t>(std::int64_t{picked.at.x} + by, 0, last));
  return next;
}

std::string ButterflyTrack::stage_words(const Selection& picked) const {
  const auto stage = picked.space == wire_space ? stage_of_wire(picked.at, report_) : std::nullopt;
  if (!stage) return {};
  std::string words = fmt::format("stage {} of {}", *stage, report_.stages);
  if (*stage == 0) return words + ": the input";
  if (report_.by_stage.empty()) return words;
  const NetworkStage digits = report_.by_stage[static_cast<std::size_t>(*stage - 1)].digits;
  if (digits.high == 0) return words;
  // Digits count from 1: the lowest pairs neighbours.
  const auto apart = [](int digit) { return counted(std::uint64_t{1} << (digit - 1), "wire") + " apart"; };
  if (digits.high == digits.low) return words + fmt::format(": digit {}, {}", digits.high, apart(digits.high));
  return words + fmt::format(": digits {} to {}, {} to {}", digits.high, digits.low, 1ull << (digits.low - 1),
                             apart(digits.high));
}

}  // namespace warploom
