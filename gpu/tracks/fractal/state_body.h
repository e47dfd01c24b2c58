#pragma once
// The bodies of FractalStateTrack; included by state.cu, and where a test has a storage of its own.
#include "gpu/core/launch.h"
#include "gpu/tracks/fractal/state.h"
#include "gpu/tracks/sum_useful.h"
#include "gpu/works/work.h"

namespace warploom {

/// What the data space shows of a cell, 0..1.
struct StateValue {
  WARPLOOM_HD float operator()(Cell, std::uint8_t state) const { return state; }
  WARPLOOM_HD bool reached(Cell) const { return true; }
  /// Few live cells among many must not look like none.
  WARPLOOM_HD float contrast(float mean) const { return sqrtf(mean); }
};

template <class Storage>
FractalStateTrack<Storage>::FractalStateTrack(Queue& queue, const FractalSettings& settings, const TrackInfo& info)
    : Base(queue, static_cast<std::uint64_t>(Storage::bytes(FractalDomain(settings.mask, settings.level)))),
      settings_(settings),
      domain_(settings.mask, settings.level),
      seal_words_(queue.backend(), SealState<Storage>::slots * 2) {
  this->info_ = info;
  this->kernel_ = "fractal." + settings.work;
  this->extent_ = domain_.extent;
  this->cells_ = domain_.cells();
  this->template offer<Editable>(*this);
}

template <class Storage>
void FractalStateTrack<Storage>::make_pictures(Queue& queue) {
  const std::vector<int> turns(this->launches().size(), 1);
  std::vector<std::uint64_t> visits;
  for (const auto& shape : this->launches()) visits.push_back(shape.block_count());
  this->make_launch_board(queue, turns, visits);
  // Nothing flatter than 4 : 1.
  const double tall = std::max(1., double(domain_.extent.x) / double(domain_.extent.y) / 4);
  data_.emplace(*this, tall, std::vector{ColourBy::state, ColourBy::launch_order, ColourBy::warp}, true);
  launches_picture_.emplace(*this);
  this->pictures_ = {&*data_, &*launches_picture_};
}

template <class Storage>
std::optional<Seal> FractalStateTrack<Storage>::seal(Queue& queue) {
  using Program = SealState<Storage>;
  seal_words_.zero(queue);
  launch("fractal.seal", queue, members_shape(domain_), Program{domain_, cells_, finished(), seal_words_.data()},
         cells_);
  Seal seal;
  const auto all = seal_words_.download(queue);
  for (std::size_t i = 0; i < all.size(); i += 2) {
    seal.hash += all[i];
    seal.sum += all[i + 1];
  }
  seal.folded = this->folded_;
  return seal;
}

template <class Storage>
std::vector<std::uint8_t> FractalStateTrack<Storage>::state(Queue& queue) {
  std::vector<std::uint8_t> box(volume(domain_.extent));
  if constexpr (std::is_same_v<Storage, Embedded>) {
    download_bytes(queue, box.data(), this->states_.finished(), box.size());
  } else {
    Buffer<std::uint8_t> plain(queue.backend(), box.size());
    plain.zero(queue);
    launch("fractal.export", queue, members_shape(domain_),
           CopyCells<FractalCells, Storage, Embedded>{value_cells(), finished(), {plain.data(), domain_.extent}});
    box = plain.download(queue);
  }
  return box;
}

template <class Storage>
std::vector<float> FractalStateTrack<Storage>::window(Queue& queue, Index3 first, Index3 size) {
  std::vector<float> values(std::size_t{size.x} * size.y, NAN);
  if (first.x >= domain_.extent.x || first.y >= domain_.extent.y) return values;
  if constexpr (std::is_same_v<Storage, Embedded>) {
    const StatePair::Reader reader(this->states_, queue);
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
  const std::uint16_t* useful = nullptr;
  {
    // Once counted the table stays: the kernel is not waited for under the lock.
    const std::lock_guard lock(this->count_mutex_);
    if (this->counts_ && visits <= useful_in_block_.size()) useful = useful_in_block_.data();
  }
  return useful ? std::optional(sum_useful(queue, useful, visits, sums)) : std::nullopt;
}

template <class Storage>
void FractalStateTrack<Storage>::paint_cells(Queue& queue, const PictureRequest& request) {
  paint(queue, request, StateValue{});
}

template <class Storage>
bool FractalStateTrack<Storage>::flies() const {
  // A block of the domain is told by a word, in which 0 is none.
  return this->board_.visits <= FlightPainter::most_blocks && blocks().count() < ~std::uint32_t{0} && this->counts();
}

template <class Storage>
void FractalStateTrack<Storage>::land() {
  if (flight_.bytes() == 0) return;
  flight_.release();
  this->picture_bytes_ = served_by_visit_.bytes();
}

template <class Storage>
void FractalStateTrack<Storage>::paint_flight(Queue& queue, const PictureRequest& request) {
  Flight<FractalBlocks> flight{blocks(), this->device_board(), {}, served_by_visit_.data()};
  {
    // Once counted the table stays.
    const std::lock_guard lock(this->count_mutex_);
    flight.useful = useful_in_block_.data();
  }
  flight.path = data_->path(request.solid.morph);
  flight.waste = request.solid.waste;
  flight_.paint(queue, "fractal.flight", flight, request);
  this->picture_bytes_ = flight_.bytes() + served_by_visit_.bytes();
}

}  // namespace warploom
