// What a track of butterflies hands out.
#include <algorithm>
#include <array>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/scoped_member.h"
#include "gpu/scenes/butterfly/devices/team_transform.h"
#include "gpu/scenes/butterfly/tracks/track.h"

namespace warploom {

namespace {

constexpr double most_traced_bytes = 64. * (1 << 20);

std::vector<std::uint64_t> shape_of(std::vector<std::uint64_t> axes, const RowShape& row) {
  if (row.width > 1) axes.push_back(row.width);
  return axes;
}

}  // namespace

std::vector<DumpArray> ButterflyTrack::dumps(Queue& queue) {
  const std::uint64_t batch = settings().batch;
  check_dump(static_cast<double>(batch) * static_cast<double>(std::max(in_.row_bytes(), out_.row_bytes())));
  std::vector<DumpArray> arrays;
  arrays.push_back({"input", in_.numpy, in_.type, shape_of({batch, in_.elements}, in_),
                    rows_of(queue, input(front_), in_), "what the last step took"});
  arrays.push_back({"output", out_.numpy, out_.type, shape_of({batch, out_.elements}, out_),
                    rows_of(queue, output_[front_], out_), "what it made of it"});
  if (settings().trace > 0 && variant_.variant != "vendor")
    for (auto& array : traced_dumps(queue)) arrays.push_back(std::move(array));
  return arrays;
}

std::vector<DumpArray> ButterflyTrack::traced_dumps(Queue& queue) {
  const ScopedNoCancel whole(queue);
  const ScopedUntimed telling(queue);
  const std::uint64_t batch = settings().batch,
                      problems = std::min<std::uint64_t>(batch, static_cast<std::uint64_t>(settings().trace));
  const NetworkMapping& mapping = variant_.mapping;
  const RowShape step = transform_->step_shape();
  const bool has_steps = mapping.n <= mapping.s || report_.mapping.s == 0;
  if (!has_steps) return {};  // several launches
  const auto check = [&](const char* name, double bytes) {
    if (bytes > most_traced_bytes)
      throw UsageError("trace: the array '" + std::string(name) + "' of " + info_.name + " would take " +
                       bytes_text(bytes) + "; at most 64.0 MiB: choose a smaller n or trace");
  };
  check("steps", static_cast<double>(report_.stages + 1) * static_cast<double>(problems) *
                     static_cast<double>(report_.elements) * step.bytes);
  const std::uint64_t in_block = mapping.n <= mapping.s ? std::uint64_t{1} << mapping.threads_y() : std::uint64_t{1};
  const std::uint64_t rows = std::min(batch, std::max(problems, in_block));
  Buffer<std::uint64_t> singular(queue.backend(), batch);
  const TransformTrace told = transform_->trace(queue, input(front_).data(), {rows, problems, true}, singular.data());
  std::vector<DumpArray> arrays;
  arrays.push_back({"steps", step.numpy, step.type,
                    shape_of({static_cast<std::uint64_t>(told.stages + 1), problems, told.elements}, step), told.steps,
                    "elements after each stage, under their own names"});
  const auto add = [&](const char* name, const std::vector<std::uint64_t>& shape, const auto& values,
                       const char* description) {
    check(name, static_cast<double>(values.size()) * sizeof values[0]);
    arrays.push_back({name, "<i4", "int32", shape, array_bytes(values), description});
  };
  const auto edges = edges_.empty() ? transform_->edges() : edges_;
  add("edges", {edges.size(), 6}, edges,
      "stage, node, from, to, where (0 register, 1 shuffle, 2 shared, 3 global, 4 link, 5 ring), role");
  if (const auto* team = dynamic_cast<const TeamTransform*>(transform_.get()); team && team->device_at(0, 0) >= 0) {
    std::vector<std::int32_t> who;
    for (int stage = 0; stage <= told.stages + 1; ++stage)
      for (std::uint32_t e = 0; e < told.elements; ++e) who.push_back(team->device_at(stage, e));
    add("device_of", {static_cast<std::uint64_t>(told.stages + 2), told.elements}, who,
        "device of each element: as loaded, at each stage, as stored");
  }
  const auto locations = transform_->locations();
  if (locations.empty()) return arrays;
  add("locations", {static_cast<std::uint64_t>(told.stages + 1), std::uint64_t{1} << mapping.s, 3}, locations,
      "thread, register and byte, or -1, of block 0");
  // What one warp does at once has one number.
  const std::uint32_t warps = std::max(1u, (1u << (mapping.s - mapping.p)) / warp_size);
  std::vector<std::array<std::int32_t, 6>> accesses;
  accesses.reserve(told.accesses.size());
  for (const SharedAccess& one : told.accesses)
    accesses.push_back({one.stage, one.reads,
                        static_cast<std::int32_t>(one.instruction * warps + one.thread / warp_size),
                        static_cast<std::int32_t>(one.thread), static_cast<std::int32_t>(one.byte),
                        static_cast<std::int32_t>(one.slot)});
  add("accesses", {accesses.size(), 6}, accesses,
      "stage, 0 write or 1 read, instruction, thread, byte, slot, of block 0");
  return arrays;
}

}  // namespace warploom
