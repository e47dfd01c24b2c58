// Systems that a tuned program leaves to the general one.
#include "gpu/scenes/butterfly/tracks/flagged_systems.h"

#include "gpu/core/scoped_member.h"

namespace warploom {

namespace {

/// Launched with row_shape(batch).
struct FindFlagged {
  const std::uint64_t* flags;
  std::uint64_t batch;
  std::uint64_t* found;  ///< how many, 0 before, and which
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, batch, [&](std::uint64_t i) {
      if (flags[i]) found[1 + atomic_fetch_add(found, std::uint64_t{1})] = i;
    });
  }
};

/// ... with row_shape of all rows of the systems found.
struct TakeFlagged {
  const std::uint64_t* found;
  std::uint64_t rows;
  SystemOrder order;
  const SystemRow* in;
  SystemRow* to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, rows, [&](std::uint64_t i) {
      to[i] = in[order.at(found[1 + (i >> order.n)], i & ((std::uint64_t{1} << order.n) - 1))];
    });
  }
};
struct GiveFlagged {
  const std::uint64_t* found;
  std::uint64_t rows;
  SystemOrder order;
  const float* unknowns;
  const std::uint64_t* from;
  float* out;
  std::uint64_t* singular;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, rows, [&](std::uint64_t i) {
      const std::uint64_t row = i & ((std::uint64_t{1} << order.n) - 1), which = found[1 + (i >> order.n)];
      out[order.at(which, row)] = unknowns[i];
      if (row == 0) singular[which] = from[i >> order.n];
    });
  }
};

}  // namespace

FlaggedSystems::FlaggedSystems(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
    : settings_(settings),
      map_(variant.variant),
      order_{settings.n, settings.batch, variant.interleaved},
      flags_(queue.backend(), settings.batch),
      found_(queue.backend(), settings.batch + 1) {
  // Of the general program its own mapping.
  settings_.p = -1;
  settings_.s = 0;
}

void FlaggedSystems::solve(Queue& queue, const SystemRow* in, float* out, std::uint64_t* singular) const {
  const ScopedUntimed aside(queue);
  std::uint64_t count = 0;
  zero_bytes(queue, found_.data(), sizeof count);
  launch("butterfly.flagged", queue, row_shape(order_.batch), FindFlagged{flags_.data(), order_.batch, found_.data()});
  download_bytes(queue, &count, found_.data(), sizeof count);
  if (count == 0) return;
  ButterflySettings few = settings_;
  few.batch = count;
  const auto general = make_transform(queue, few, butterfly_variant(few, find_butterfly_track(few.algorithm, map_)));
  const std::uint64_t rows = count << order_.n;
  const Buffer<SystemRow> taken(queue.backend(), rows);
  const Buffer<float> unknowns(queue.backend(), rows);
  const Buffer<std::uint64_t> no_answer(queue.backend(), count);
  fill_with_ones(queue, no_answer.data(), no_answer.bytes());
  launch("butterfly.flagged", queue, row_shape(rows), TakeFlagged{found_.data(), rows, order_, in, taken.data()});
  general->run(queue, taken.data(), unknowns.data(), no_answer.data());
  launch("butterfly.flagged", queue, row_shape(rows),
         GiveFlagged{found_.data(), rows, order_, unknowns.data(), no_answer.data(), out, singular});
  queue.wait();  // the buffers end here
}

}  // namespace warploom
