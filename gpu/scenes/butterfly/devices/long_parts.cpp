#include "gpu/scenes/butterfly/devices/long_parts.h"

#include <bit>

namespace warploom {

ButterflySettings part_of(const ButterflySettings& settings, int d) {
  ButterflySettings part = settings;
  part.n -= d;
  part.devices = 1;
  return part;
}

ButterflyVariant part_of(const ButterflySettings& part_settings, const ButterflyVariant& variant) {
  TrackInfo info;
  info.map = variant.variant;
  switch (variant.exchange) {
    case Exchange::shared:
      info.intra = variant.looks_back ? "look_back" : "shared";
      break;
    case Exchange::shuffle:
      info.intra = "shuffle";
      break;
    case Exchange::global:
      info.intra = "global";
      break;
    case Exchange::tuned:
      info.intra = "tuned";
      break;
  }
  if (variant.layout == WordLayout::padded) info.layout = "padded";
  if (variant.layout == WordLayout::swizzled) info.layout = "swizzled";
  return butterfly_variant(part_settings, info);
}

LongParts::LongParts(const Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant,
                     bool copies)
    : TeamTransform(queue, settings, variant),
      d_(std::countr_zero(static_cast<unsigned>(team_->size()))),
      in_(input_shape(settings)),
      out_(output_shape(settings)),
      part_settings_(part_of(settings, d_)),
      part_variant_(part_of(part_settings_, variant_)) {
  for (int device = 0; device < devices(); ++device) {
    Rows& rows = rows_.emplace_back();
    // One row's parts lie together; of several rows a part is in pieces.
    if (!copies && reaches(device) && batch_ == 1) continue;
    const Queue& own = team_->queue(device);
    const OnDevice here(own.device());
    rows.in = Buffer<std::uint8_t>(own.backend(), (batch_ * in_.row_bytes()) >> d_);
    rows.out = Buffer<std::uint8_t>(own.backend(), (batch_ * out_.row_bytes()) >> d_);
  }
}

std::vector<TeamTransform::Part> LongParts::parts() const {
  const NetworkMapping& mapping = part_variant_.mapping;
  const LaunchShape shape =
      block_shape({std::min(mapping.n, mapping.s), mapping.p, mapping.s}, batch_ << std::max(0, mapping.n - mapping.s));
  return {static_cast<std::size_t>(devices()), {shape, batch_, mapping.threads_x()}};
}

const void* LongParts::part_in(int device, const void* in) const {
  const Rows& rows = rows_[static_cast<std::size_t>(device)];
  if (rows.in.size()) return rows.in.data();
  return static_cast<const std::uint8_t*>(in) + static_cast<std::uint64_t>(device) * (in_.row_bytes() >> d_);
}

void* LongParts::part_out(int device, void* out) const {
  const Rows& rows = rows_[static_cast<std::size_t>(device)];
  if (rows.out.size()) return rows.out.data();
  return static_cast<std::uint8_t*>(out) + static_cast<std::uint64_t>(device) * (out_.row_bytes() >> d_);
}

std::uint64_t LongParts::rows_bytes(int device) const {
  const Rows& rows = rows_[static_cast<std::size_t>(device)];
  return rows.in.bytes() + rows.out.bytes();
}

void LongParts::begin_report(const NetworkReport& of_part, std::uint64_t nodes, int stages, std::uint64_t launches) {
  const auto count = static_cast<std::uint64_t>(devices());
  report_.elements = std::uint64_t{1} << settings_.n;
  report_.operators = of_part.operators * count + nodes;
  report_.stages = of_part.stages + stages;
  report_.launches = of_part.launches + launches;
  report_.devices = devices();
  report_.mapping = variant_.mapping;
  report_.blocks = of_part.blocks * count;
  report_.exchanges = of_part.exchanges;
  report_.shared_bytes = of_part.shared_bytes;
  report_.word_bytes = of_part.word_bytes;
  report_.operator_string = of_part.operator_string;
}

void LongParts::tell_link(std::uint64_t values, std::uint64_t bytes, std::uint64_t exchanges) {
  report_.values = values;
  report_.link_exchanges = exchanges;
  value_bytes_ = bytes;
}

void LongParts::tell(DevicesReport& report) const {
  report.split = "elements";
  report.exchanges = report_.link_exchanges.value_or(0);
  report.values = report_.values.value_or(0);
  report.bytes = report.values * batch_ * value_bytes_;
}

void LongParts::scatter(Queue& queue, const void* in) {
  const std::uint64_t row = in_.row_bytes(), part = row >> d_;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (rows_[k].in.size())
      copy_rows(queue, rows_[k].in.data(), part, static_cast<const std::uint8_t*>(in) + k * part, row, part, batch_);
}

void LongParts::gather(Queue& queue, void* out, std::uint64_t*) {
  const std::uint64_t row = out_.row_bytes(), part = row >> d_;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (rows_[k].out.size())
      copy_rows(queue, static_cast<std::uint8_t*>(out) + k * part, row, rows_[k].out.data(), part, part, batch_);
}

}  // namespace warploom
