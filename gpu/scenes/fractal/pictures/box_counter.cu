#include "gpu/scenes/fractal/pictures/box_counter.h"

#include <algorithm>

#include "gpu/core/launch.h"

namespace warploom {

namespace {

/// Of the lowest level: so many words a range, that few counts are kept of many words; and so many boxes at most.
constexpr std::uint64_t least_words = 200, most_boxes = 1 << 24;

}  // namespace

BoxCounter::BoxCounter(const FractalDomain& domain, const SlicedShape& shape) : domain_(domain), shape_(shape) {
  int lowest = 0;
  std::uint64_t in_range = 1, boxes = domain.cells();
  while (lowest < shape.base_digits && (in_range < least_words || boxes > most_boxes)) {
    in_range *= domain.copies;
    boxes /= domain.copies;
    ++lowest;
  }
  view_.lowest = lowest;
  view_.highest = lowest - 1;
  if (lowest == 0 || in_range < least_words || in_range >= std::uint64_t{1} << CountWords::planes) return;
  in_range_ = static_cast<std::uint32_t>(in_range);
  view_.lanes_apart = shape.chunks * 32;
  std::uint64_t ranges = shape.words / in_range;
  for (int level = lowest; level <= shape.base_digits && level - lowest < BoxCounts::most_levels; ++level) {
    view_.ranges[level - lowest] = Divider(static_cast<std::uint32_t>(ranges));
    view_.first[level - lowest] = words_;
    words_ += ranges * view_.lanes_apart;
    view_.highest = level;
    ranges /= domain.copies;
  }
}

bool BoxCounter::helps(double cells_x, double cells_y) const {
  return view_.highest >= view_.lowest && cells_x >= domain_.power_x[view_.lowest].divisor &&
         cells_y >= domain_.power_y[view_.lowest].divisor;
}

BoxCounter::Reader::Reader(BoxCounter& counter, Queue& queue, const std::uint32_t* words, std::uint64_t serial)
    : lock_(counter.mutex_), counter_(counter), queue_(queue) {
  if (counter.used_)
    counter.used_->hold(queue);
  else
    counter.used_.emplace(queue.backend());  // here, as it may throw
  if (counter.serial_ == serial) return;
  counter.serial_ = 0;
  counter.count(queue, words);
  counter.serial_ = serial;
}

BoxCounter::Reader::~Reader() { counter_.used_->set(queue_); }

void BoxCounter::count(Queue& queue, const std::uint32_t* words) {
  if (counts_.size() == 0) {
    counts_ = Buffer<std::uint32_t>(queue.backend(), words_);
    view_.counts = counts_.data();
    bytes_ = counts_.bytes();
  }
  const CountWords lowest{words, shape_, in_range_, shape_.words / in_range_, counts_.data()};
  launch("fractal.boxes", queue, row_shape(lowest.ranges * shape_.chunks), lowest);
  for (int i = 1; i <= view_.highest - view_.lowest; ++i) {
    const SumBoxes sums{counts_.data() + view_.first[i - 1], counts_.data() + view_.first[i], domain_.copies,
                        Divider(view_.lanes_apart), view_.ranges[i].divisor};
    launch("fractal.boxes", queue, row_shape(sums.ranges * view_.lanes_apart), sums);
  }
}

}  // namespace warploom
