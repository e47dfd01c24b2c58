#pragma once
// The bodies of FractalStateTrack; included by state.cu, and where a test has a storage of its own.
#include "gpu/core/launch.h"
#include "gpu/tracks/fractal/state.h"
#include "gpu/works/fractal/members.h"
#include "gpu/works/work.h"

namespace warploom {

/// What the data space shows of a cell, 0..1.
struct StateValue {
  WARPLOOM_HD float operator()(Cell, std::uint8_t state) const { return state; }
  /// Few live cells among many must not look like none.
  WARPLOOM_HD float contrast(float mean) const { return sqrtf(mean); }
};

/// The values of a box of places, row-major; not a number where there is no cell.
template <class Storage>
struct GatherWindow {
  FractalDomain domain;
  Storage from;
  Index3 first, size;
  float* to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint64_t begin = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      const std::uint64_t i = begin + thread.index;
      if (i >= volume(size)) return;
      const Index3 in = unfold(i, size);
      const Cell cell{first.x + in.x, first.y + in.y, 0};
      to[i] = domain.contains(cell) ? static_cast<float>(from.load(cell)) : NAN;
    });
  }
};

/// Calls body(storage) with another track's state in its own storage.
template <class Body>
void with_state_of(const Track& other, Index3 extent, Body&& body) {
  auto* bytes = const_cast<std::uint8_t*>(dynamic_cast<const AnyFractalTrack&>(other).finished_bytes());
  for_each_type(FractalStorages{}, [&]<class Storage>() {
    if (other.info().storage == Storage::info.key) body(Storage{bytes, extent});
  });
}

template <class Storage>
FractalStateTrack<Storage>::FractalStateTrack(Queue& queue, const FractalSettings& settings, const TrackInfo& info)
    : settings_(settings),
      domain_(settings.mask, settings.level),
      cells_(domain_.cells()),
      states_(queue, static_cast<std::uint64_t>(Storage::bytes(domain_))),
      sums_(queue.backend(), SumSlots::slots * SumSlots::words_apart),
      seal_words_(queue.backend(), SealState<Storage>::slots * 2) {
  info_ = info;
  kernel_ = "fractal." + settings.work;
  offer<Counted>(*this);
  offer<Threads>(*this);
  offer<Explained>(*this);
  offer<Editable>(*this);
}

template <class Storage>
void FractalStateTrack<Storage>::fill(Queue& queue, std::uint64_t seed, double density) {
  new_state(queue, [&](Storage out) {
    launch("fractal.initial", queue, members_shape(domain_), FillRandom<Storage>{domain_, cells_, seed, density, out});
  });
}

template <class Storage>
void FractalStateTrack<Storage>::load(Queue& queue, std::span<const std::uint8_t> state) {
  if (state.size() != volume(domain_.extent))
    throw UsageError("a state of " + std::to_string(state.size()) + " cells; the domain's box has " +
                     std::to_string(volume(domain_.extent)));
  Buffer<std::uint8_t> box(queue.backend(), state.size());
  box.upload(queue, state);
  new_state(queue, [&](Storage out) {
    launch("fractal.initial", queue, members_shape(domain_),
           CopyState<Storage, Storage>{domain_, cells_, {box.data(), domain_.extent}, out});
  });
  queue.wait();
}

template <class Storage>
void FractalStateTrack<Storage>::copy_state(Queue& queue, const Track& from) {
  with_state_of(from, domain_.extent, [&]<class Other>(const Other& other) {
    new_state(queue, [&](Storage out) {
      launch("fractal.initial", queue, members_shape(domain_), CopyState<Other, Storage>{domain_, cells_, other, out});
    });
  });
  queue.wait();
}

template <class Storage>
void FractalStateTrack<Storage>::publish(Queue& queue) {
  if (flip_pending_) states_.flip();
  flip_pending_ = false;
  if (fold_pending_) {
    std::uint64_t total = 0;
    for (const std::uint64_t word : sums_.download(queue)) total += word;
    folded_ = total;
  }
  fold_pending_ = false;
}

template <class Storage>
Seal FractalStateTrack<Storage>::seal(Queue& queue) {
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
  seal.folded = folded_;
  return seal;
}

template <class Storage>
std::optional<Cell> FractalStateTrack<Storage>::first_difference(Queue& queue, const Track& other) {
  Buffer<std::uint64_t> first(queue.backend(), 1);
  const std::uint64_t none = ~std::uint64_t{0};
  first.upload(queue, {&none, 1});
  with_state_of(other, domain_.extent, [&]<class Other>(const Other& state) {
    launch("fractal.difference", queue, members_shape(domain_),
           FirstDifference<Storage, Other>{domain_, cells_, finished(), state, first.data()});
  });
  const std::uint64_t at = first.download(queue)[0];
  if (at == none) return std::nullopt;
  return Cell{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at >> 32), 0};
}

template <class Storage>
void FractalStateTrack<Storage>::edit(Queue& queue, std::span<const Cell> cells, std::uint8_t value) {
  std::vector<std::uint64_t> packed;
  for (const Cell& cell : cells)
    if (domain_.contains(cell)) packed.push_back(std::uint64_t{cell.y} << 32 | cell.x);
  if (packed.empty()) return;
  Buffer<std::uint64_t> list(queue.backend(), packed.size());
  list.upload(queue, packed);
  StatePair::Writer writer(states_, queue, true);
  launch("fractal.paint", queue, row_shape(packed.size()),
         WriteCells<Storage>{writable(writer.data()), list.data(), packed.size(), value});
  queue.wait();
}

template <class Storage>
std::vector<std::uint8_t> FractalStateTrack<Storage>::state(Queue& queue) {
  std::vector<std::uint8_t> box(volume(domain_.extent));
  if constexpr (std::is_same_v<Storage, Embedded>) {
    download_bytes(queue, box.data(), states_.finished(), box.size());
  } else {
    Buffer<std::uint8_t> plain(queue.backend(), box.size());
    plain.zero(queue);
    launch("fractal.export", queue, members_shape(domain_),
           CopyState<Storage, Embedded>{domain_, cells_, finished(), {plain.data(), domain_.extent}});
    box = plain.download(queue);
  }
  return box;
}

template <class Storage>
std::vector<float> FractalStateTrack<Storage>::window(Queue& queue, Index3 first, Index3 size) {
  std::vector<float> values(std::size_t{size.x} * size.y, NAN);
  if (first.x >= domain_.extent.x || first.y >= domain_.extent.y) return values;
  const StatePair::Reader reader(states_, queue);
  if constexpr (std::is_same_v<Storage, Embedded>) {
    std::vector<std::uint8_t> bytes(values.size());
    const std::uint32_t width = std::min(size.x, domain_.extent.x - first.x),
                        height = std::min(size.y, domain_.extent.y - first.y);
    download_rows(queue, bytes.data(), size.x, reader.data() + address(first), domain_.extent.x, width, height);
    for (std::uint32_t y = 0; y < height; ++y)
      for (std::uint32_t x = 0; x < width; ++x)
        if (domain_.contains({first.x + x, first.y + y, 0}))
          values[std::size_t{y} * size.x + x] = bytes[std::size_t{y} * size.x + x];
  } else {
    Buffer<float> box(queue.backend(), values.size());
    const Storage from{const_cast<std::uint8_t*>(reader.data()), domain_.extent};
    launch("fractal.window", queue, row_shape(values.size()),
           GatherWindow<Storage>{domain_, from, first, {size.x, size.y, 1}, box.data()});
    values = box.download(queue);
  }
  return values;
}

template <class Storage>
void FractalStateTrack<Storage>::paint_domain(Queue& queue, const PictureRequest& request) {
  paint(queue, request, StateValue{});
}

}  // namespace warploom
