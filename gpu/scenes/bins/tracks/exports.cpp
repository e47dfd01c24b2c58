// What a bins track hands out: dumps and numbers.
#include <algorithm>

#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

namespace {

template <class Value>
std::vector<Value> first_values(Queue& queue, const Buffer<Value>& buffer, std::uint64_t count) {
  std::vector<Value> values(count);
  download_bytes(queue, values.data(), buffer.data(), count * sizeof(Value));
  return values;
}

}  // namespace

std::vector<DumpArray> BinsTrack::dumps(Queue& queue) {
  const BinGrid& grid = space().grid;
  const bool binned = has_bins();
  const std::uint64_t n = count(), bins = grid.count();
  if (binned) rebin(queue);
  check_dump(std::max({8. * static_cast<double>(bins + 1), 4. * static_cast<double>(binned ? slot_count_ : 0),
                       4. * static_cast<double>(outputs()), 4. * static_cast<double>(n * application_.width)}));
  std::vector<DumpArray> arrays;
  const auto add = [&](const char* name, const char* numpy, const char* type, std::vector<std::uint64_t> shape,
                       std::vector<std::uint8_t> bytes, std::string meaning) {
    arrays.push_back({name, numpy, type, std::move(shape), std::move(bytes), std::move(meaning)});
  };
  const auto values = elements(queue);
  const std::string fourth = application_.fourth;
  add("elements", "<f4", "float32", {n, application_.width}, array_bytes(values),
      application_.width == 4 ? "x y z and " + fourth + ", in input order" : "p, re, im, w, in input order");
  if (moves())
    add("velocities", "<f4", "float32", {n, 3}, array_bytes(velocities(queue)), "after the last step, in input order");
  add("bins", "<u4", "uint32", {n}, array_bytes(bin_numbers(queue)), "each element's bin");
  add("counts", "<u4", "uint32", {grid.bins.z, grid.bins.y, grid.bins.x}, array_bytes(counts(queue)),
      "elements in each bin, before any cap");
  if (binned) {
    std::vector<std::int64_t> offsets(bins + 1);
    std::uint64_t slots = slot_count_;
    if (regular()) {
      for (std::uint64_t bin = 0; bin <= bins; ++bin) offsets[bin] = static_cast<std::int64_t>(bin * capacity_);
    } else {
      const auto short_ones = offsets_[front_].download(queue);
      std::copy(short_ones.begin(), short_ones.end(), offsets.begin());
      slots = short_ones.back();
    }
    add("offsets", "<i8", "int64", {bins + 1}, array_bytes(offsets), "first slot of each bin, and their number");
    add("order", "<i4", "int32", {slots}, array_bytes(first_values(queue, order_, slots)),
        "the element in each slot, -1: padding");
    const std::uint64_t spilled = spilled_count(queue);
    add("overflow", "<i4", "int32", {spilled}, array_bytes(first_values(queue, overflow_, spilled)),
        "elements spilled, in no order");
  }
  if (stepped_) audit(queue);
  std::vector<std::uint64_t> shape{extent_.z, extent_.y, extent_.x};
  if (moves()) shape = {n};
  const auto hits = stepped_ ? hits_.download(queue) : std::vector<std::uint32_t>(cells_);
  const bool complex = application_.components == 2;
  std::vector<std::uint64_t> output_shape_of = shape;
  if (moves()) output_shape_of.push_back(3);
  add("output", complex ? "<c8" : "<f4", complex ? "complex64" : "float32", output_shape_of,
      array_bytes(output_[front_].download(queue)), moves() ? "accelerations" : "outputs, (z, y, x)");
  add("hits", "<u4", "uint32", shape, array_bytes(hits), "elements in reach of each output");
  const auto tests = stepped_ ? tests_.download(queue) : std::vector<std::uint64_t>(tests_.size());
  add("tests", "<u8", "uint64", {tests.size()}, array_bytes(tests), "pairs tested by each block, in launch order");
  if (const auto made = image(queue)) {
    const std::uint64_t voxels = volume(made->extent);
    const auto add_image = [&](const char* name, const void* from, const char* meaning) {
      std::vector<std::uint8_t> bytes(voxels * sizeof(float));
      download_bytes(queue, bytes.data(), from, bytes.size());
      add(name, "<f4", "float32", {made->extent.z, made->extent.y, made->extent.x}, std::move(bytes), meaning);
    };
    add_image("image", made->voxels->finished(), "voxels whose spectrum the outputs are, (z, y, x)");
    if (made->truth) add_image("truth", made->truth, "what they should be: the filtered phantom");
  }
  if (!found_.curve.empty()) {
    std::vector<double> rows;
    for (const CapTime& time : found_.curve)
      rows.insert(rows.end(), {static_cast<double>(time.cap), time.gather, time.spill, time.total()});
    add("cap_curve", "<f8", "float64", {found_.curve.size(), 4}, array_bytes(rows),
        "cap, gather, spill, larger of both, in ms; as measured");
  }
  return arrays;
}

std::vector<std::pair<std::string, double>> BinsTrack::numbers(Queue& queue) {
  if (has_bins()) rebin(queue);
  // Before there are outputs nothing was tested.
  if (stepped_) audit(queue);
  const AuditTotals audited = stepped_ ? audited_ : AuditTotals{};
  const double n = static_cast<double>(count());
  const double element = slot_bytes();
  const double spilled = static_cast<double>(spilled_count(queue)), kept = n - spilled;
  const double slots = regular() || variant_.access->pads_bins ? static_cast<double>(slot_count_) : kept;
  double hits = 0;
  const auto tests = stepped_ ? tests_.download(queue) : std::vector<std::uint64_t>{};
  if (stepped_)
    for (const std::uint32_t one : hits_.download(queue)) hits += one;
  const MostAndSum of_blocks(tests);
  return {
      {"capacity", regular() ? capacity_ : 0.},
      {"cap", variant_.spills ? found_.cap : -1.},
      {"binned", !has_bins() ? 0 : kept},
      {"spilled", spilled},
      {"slots", slots},
      {"padding", slots - kept},
      {"bytes_elements", slots * element},
      {"bytes_index", index_bytes()},
      {"pairs_tested", static_cast<double>(audited.pairs_tested)},
      {"pairs_hit", hits},
      {"index_reads", static_cast<double>(audited.index_reads)},
      {"padding_read", static_cast<double>(audited.padding_read)},
      {"load_imbalance", of_blocks.sum > 0 ? of_blocks.most * static_cast<double>(tests.size()) / of_blocks.sum : 0}};
}

}  // namespace warploom
