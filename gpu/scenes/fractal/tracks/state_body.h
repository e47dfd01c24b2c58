#pragma once
// The bodies of FractalStateTrack; included by state.cu, and where a test has a storage of its own.
#include <optional>
#include <utility>

#include "gpu/core/launch.h"
#include "gpu/core/stopwatch.h"
#include "gpu/maps/work.h"
#include "gpu/scenes/fractal/tracks/state.h"
#include "gpu/tracks/sum_over.h"

namespace warploom {

template <class Storage>
FractalStateTrack<Storage>::FractalStateTrack(Queue& queue, const FractalSettings& settings, const TrackInfo& info)
    : Base(queue, static_cast<std::uint64_t>(Storage::bytes(
                      FractalDomain(settings.mask, settings.level, settings.devices), settings.block_digits))),
      settings_(settings),
      domain_(settings.mask, settings.level, settings.devices),
      seals_(queue.backend()) {
  this->info_ = info;
  this->kernel_ = "fractal." + settings.work;
  this->extent_ = domain_.extent;
  this->cells_ = domain_.cells();
  this->template offer<Editable>(*this);
  this->template offer<SealedStep>(*this);
  if constexpr (!std::is_same_v<Storage, Embedded>) this->template offer<StorageFacet>(*this);
}

template <class Storage>
void FractalStateTrack<Storage>::make_stage(Queue& queue, std::vector<LaunchShape> launches, std::uint64_t cells,
                                            int turns, std::uint64_t visits) {
  const std::uint64_t bytes = fractal_work(settings_.work).bytes_per_cell * cells;
  this->stages_ = {{this->kernel_, std::move(launches), bytes, false}};
  const std::vector<int> turns_of(this->launches().size(), turns);
  std::vector<std::uint64_t> visits_of;
  for (const auto& shape : this->launches()) visits_of.push_back(visits ? visits : shape.block_count());
  this->make_grid_layout(queue, turns_of, visits_of);
  // Nothing flatter than 4 : 1.
  const double tall = std::max(1., double(domain_.extent.x) / double(domain_.extent.y) / 4);
  data_.emplace(*this, tall, std::vector{ColourBy::state, ColourBy::launch_order, ColourBy::warp}, true);
  launches_picture_.emplace(*this);
  this->pictures_ = {&*data_, &*launches_picture_};
}

template <class Storage>
std::optional<Seal> FractalStateTrack<Storage>::seal(Queue& queue) {
  if (!std::exchange(seal_is_fused_, false)) {
    const Storage state = finished();
    // As one device has it, whoever shares the state out.
    const SlicedShape shape(domain_.copies, domain_.level);
    const auto go = [&](auto program) {
      const LaunchShape launched = program.launch_shape();
      program.to = seals_.slots(launched);
      launch("fractal.seal", queue, launched, program, this->states_.one_bytes());
    };
    seals_.clear(queue);
    bool by_words = false;
    std::optional<TimedSpan> all_parts;  // one sample, however many launches
    if constexpr (std::is_same_v<Storage, Sliced>) {
      by_words = state.shape.lanes == shape.lanes;
      if (by_words && state.shape.parts > 1) all_parts.emplace(queue, "fractal.seal", this->states_.one_bytes());
      for (std::uint32_t k = 0; by_words && k < state.shape.parts; ++k) with_seal_words(state.part(k), go);
    }
    if (!by_words) go(SealCells<Storage>{domain_, shape, SealPlaces(domain_, shape), state, {}});
    if (all_parts) all_parts->finish();
    seals_.turn();
  }
  const auto total = seals_.total(queue);
  return Seal{total.seal, total.live, this->folded_};
}

template <class Storage>
std::vector<std::uint8_t> FractalStateTrack<Storage>::state(Queue& queue) {
  // Storages that keep less than a byte a place reach levels whose box no host holds.
  if (volume(domain_.extent) > most_exported)
    throw UsageError("a state of " + std::to_string(domain_.extent.x) + " x " + std::to_string(domain_.extent.y) +
                     " places is more than is written out: choose a lower level");
  std::vector<std::uint8_t> box(volume(domain_.extent));
  if constexpr (std::is_same_v<Storage, Embedded>) {
    download_bytes(queue, box.data(), this->states_.finished(), box.size());
  } else {
    Buffer<std::uint8_t> plain(queue.backend(), box.size());
    plain.zero(queue);
    launch(
        "fractal.export", queue, value_cells().shape(),
        CopyCells<FractalCells, Storage, Embedded>{value_cells(), finished(), Embedded::of(domain_, 0, plain.data())});
    box = plain.download(queue);
  }
  return box;
}

template <class Storage>
std::vector<float> FractalStateTrack<Storage>::window(Queue& queue, Index3 first, Index3 size) {
  std::vector<float> values(std::size_t{size.x} * size.y, NAN);
  if (first.x >= domain_.extent.x || first.y >= domain_.extent.y) return values;
  if constexpr (std::is_same_v<Storage, Embedded>) {
    const StatePair::Reader reader(this->states_, queue, std::try_to_lock);
    if (!reader) return values;
    std::vector<std::uint8_t> bytes(values.size());
    const std::uint32_t width = std::min(size.x, domain_.extent.x - first.x),
                        height = std::min(size.y, domain_.extent.y - first.y);
    download_rows(queue, bytes.data(), size.x, reader.data() + address(first), domain_.extent.x, width, height);
    for (std::uint32_t y = 0; y < height; ++y)
      for (std::uint32_t x = 0; x < width; ++x)
        if (domain_.contains({first.x + x, first.y + y, 0}))
          values[std::size_t{y} * size.x + x] = bytes[std::size_t{y} * size.x + x];
  } else {
    values = this->gathered(queue, first, {size.x, size.y, 1});
  }
  return values;
}

template <class Storage>
std::optional<std::uint64_t> FractalStateTrack<Storage>::useful_of_first(Queue& queue, std::uint64_t visits,
                                                                         Buffer<std::uint64_t>& sums) const {
  const auto useful = useful_in_block();
  if (useful.empty() || visits > useful.size()) return std::nullopt;
  return sum_over("tracks.so_far", queue, visits, UsefulOfBlock{useful.data()}, sums);
}

template <class Storage>
void FractalStateTrack<Storage>::paint_cells(Queue& queue, const PictureRequest& request) {
  paint(queue, request, StateValue{});
}

template <class Storage>
void FractalStateTrack<Storage>::paint_flight(Queue& queue, const PictureRequest& request) {
  Flight<FractalBlocks> flight{blocks(), this->device_grid(), useful_in_block().data(), served_by_visit_.data()};
  flight.path = data_->path(request.solid.morph);
  flight.waste = request.solid.waste;
  flight_.paint(queue, "fractal.flight", flight, request);
  this->picture_bytes_ = flight_.bytes() + served_by_visit_.bytes();
}

}  // namespace warploom
