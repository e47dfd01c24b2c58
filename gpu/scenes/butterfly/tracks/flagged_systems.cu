// Systems that a tuned program leaves to the general one.
#include "gpu/scenes/butterfly/tracks/flagged_systems.h"

#include <algorithm>

#include "gpu/core/scoped_member.h"

namespace warploom {

namespace {

/// Of systems that are solved again at once: what they take stays small.
constexpr std::uint64_t most_rows = 1u << 18;

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

/// ... with row_shape of all rows of some of the systems found.
struct TakeFlagged {
  const std::uint64_t* found;  ///< from the first of them on
  std::uint64_t rows;
  SystemOrder order;
  const SystemRow* in;
  SystemRow* to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, rows, [&](std::uint64_t i) {
      to[i] = in[order.at(found[i >> order.n], i & ((std::uint64_t{1} << order.n) - 1))];
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
      const std::uint64_t row = i & ((std::uint64_t{1} << order.n) - 1), which = found[i >> order.n];
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
      flags_(queue.backend(), settings.batch + 1),
      found_(queue.backend(), settings.batch + 1) {
  // Of the general program its own mapping.
  settings_.p = -1;
  settings_.s = 0;
}

FlaggedSystems::General& FlaggedSystems::general_for(Queue& queue, std::uint64_t count) {
  const bool whole = count << order_.n >= most_rows;
  General& own = general_[whole ? 0 : 1];
  if (own.count == count) return own;
  ButterflySettings few = settings_;
  few.batch = count;
  own = {};
  own.transform = make_transform(queue, few, butterfly_variant(few, find_butterfly_track(few.algorithm, map_)));
  own.rows = Buffer<SystemRow>(queue.backend(), count << order_.n);
  own.unknowns = Buffer<float>(queue.backend(), count << order_.n);
  own.singular = Buffer<std::uint64_t>(queue.backend(), count);
  own.count = count;
  return own;
}

void FlaggedSystems::solve(Queue& queue, const SystemRow* in, float* out, std::uint64_t* singular) {
  const ScopedUntimed aside(queue);
  std::uint64_t any = 0, count = 0;
  download_bytes(queue, &any, flags().any, sizeof any);
  if (any == 0) return;
  zero_bytes(queue, found_.data(), sizeof count);
  launch("butterfly.flagged", queue, row_shape(order_.batch),
         FindFlagged{flags().of_systems, order_.batch, found_.data()});
  download_bytes(queue, &count, found_.data(), sizeof count);
  const std::uint64_t most = std::max<std::uint64_t>(1, most_rows >> order_.n);
  for (std::uint64_t first = 0; first < count; first += most) {
    General& general = general_for(queue, std::min(most, count - first));
    const std::uint64_t* const of_part = found_.data() + 1 + first;
    const std::uint64_t rows = general.count << order_.n;
    fill_with_ones(queue, general.singular.data(), general.singular.bytes());
    launch("butterfly.flagged", queue, row_shape(rows), TakeFlagged{of_part, rows, order_, in, general.rows.data()});
    general.transform->run(queue, general.rows.data(), general.unknowns.data(), general.singular.data());
    launch("butterfly.flagged", queue, row_shape(rows),
           GiveFlagged{of_part, rows, order_, general.unknowns.data(), general.singular.data(), out, singular});
  }
}

}  // namespace warploom
