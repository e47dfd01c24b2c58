#pragma once
#include <mutex>

#include "gpu/maps/map.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/editable.h"
#include "gpu/tracks/facets/explained.h"
#include "gpu/tracks/facets/threads.h"
#include "gpu/tracks/fractal/fractal.h"
#include "gpu/tracks/fractal/pictures.h"
#include "gpu/tracks/state_pair.h"
#include "gpu/works/fractal/storage.h"

namespace warploom {

/// What a fractal track of any storage shows to those of others.
class AnyFractalTrack : public Track, public Counted, public Threads, public Explained, public Editable {
 public:
  virtual const std::uint8_t* finished_bytes() const = 0;
};

/// The part of a fractal track that knows no map: its state, seals and the picture of its state. Compiled once a
/// storage.
template <class Storage>
class FractalStateTrack : public AnyFractalTrack {
 public:
  FractalStateTrack(Queue& queue, const FractalSettings& settings, const TrackInfo& info);

  Index3 extent() const override { return domain_.extent; }
  const std::uint8_t* finished_bytes() const override { return states_.finished(); }
  std::uint64_t cells() const override { return cells_; }

  void fill(Queue& queue, std::uint64_t seed, double density) override;
  void load(Queue& queue, std::span<const std::uint8_t> state) override;
  void copy_state(Queue& queue, const Track& from) override;
  void publish(Queue& queue) override;
  void give_up(Queue&) override { flip_pending_ = fold_pending_ = false; }
  Seal seal(Queue& queue) override;
  std::optional<Cell> first_difference(Queue& queue, const Track& other) override;
  void edit(Queue& queue, std::span<const Cell> cells, std::uint8_t value) override;
  std::vector<std::uint8_t> state(Queue& queue) override;

  std::optional<Counts> counts() const override {
    const std::lock_guard lock(count_mutex_);
    return counts_;
  }
  std::uint64_t address(Cell cell) const override { return Storage{nullptr, domain_.extent}.address(cell); }
  std::vector<float> window(Queue& queue, Index3 first, Index3 size) override;
  /// The data space by state; a map's own colours are its track's.
  void paint_domain(Queue& queue, const PictureRequest& request) override;

 protected:
  static constexpr std::uint64_t most_pictured_blocks = 1u << 28;

  /// Of the buffers that the thread that steps makes.
  std::uint64_t held() const {
    return states_.bytes() + useful_in_block_.bytes() + sums_.bytes() + seal_words_.bytes();
  }
  Storage writable(std::uint8_t* data) const { return {data, domain_.extent}; }
  /// Steps and seals only read through it.
  Storage finished() const { return {const_cast<std::uint8_t*>(states_.finished()), domain_.extent}; }

  /// Writes the state that nobody sees, emptied before; it is shown when it is published.
  template <class Body>
  void new_state(Queue& queue, Body&& body) {
    const StatePair::Writer writer(states_, queue, false);
    zero_bytes(queue, writer.data(), states_.one_bytes());
    body(writable(writer.data()));
    flip_pending_ = true;
  }

  template <class Value>
  void paint(Queue& queue, const PictureRequest& request, const Value& value) {
    const StatePair::Reader reader(states_, queue);
    using Program = FractalPicture<Storage, Value>;
    launch("fractal.colour", queue, Program::shape(request.target),
           Program{domain_,
                   {const_cast<std::uint8_t*>(reader.data()), domain_.extent},
                   value,
                   request.camera,
                   request.target,
                   request.palette,
                   sampled_level(domain_, request)});
  }

  FractalSettings settings_;
  FractalDomain domain_;
  std::uint64_t cells_;
  StatePair states_;
  bool flip_pending_ = false, fold_pending_ = false;
  std::optional<std::uint64_t> folded_;
  Buffer<std::uint64_t> sums_, seal_words_;  ///< kept: allocating on a device waits for all its work
  mutable std::mutex count_mutex_;
  Buffer<std::uint16_t> useful_in_block_;
  std::optional<Counts> counts_;
};

// state.cu: the sources of the maps compile none of it. A storage that is not named here and there is compiled with
// each of them.
extern template class FractalStateTrack<Embedded>;

}  // namespace warploom
