// Sorts of long rows whose keys are shared out among devices: each sorts its part, and merges go by whole parts.
// nvcc: by itself
#include "gpu/core/launch.h"
#include "gpu/scenes/butterfly/devices/long_parts.h"
#include "gpu/scenes/butterfly/networks/bitonic.h"
#include "gpu/scenes/butterfly/tracks/bitonic_merges.h"

namespace warploom {

namespace {

/// Of two parts the smaller keys, or the greater ones: of each pair of places. Launched with row_shape of a part's
/// keys.
struct KeepKeys {
  std::uint32_t* own;          ///< (batch, 2^n)
  const std::uint32_t* other;  ///< of the same place; `reversed`: of the place as far from the end
  int n;
  std::uint64_t keys;
  bool reversed, smaller;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, keys, [&](std::uint64_t i) {
      const std::uint64_t last = (std::uint64_t{1} << n) - 1;
      const std::uint32_t a = own[i], b = other[reversed ? i ^ last : i];
      own[i] = (a < b) == smaller ? a : b;
    });
  }
};

class LongSortParts final : public LongParts {
 public:
  LongSortParts(const Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : LongParts(queue, settings, variant),
        merges_(tile_of(part_variant().mapping), variant.exchange == Exchange::shuffle) {
    for (int device = 0; device < devices(); ++device) {
      Queue& own = team_->queue(device);
      const OnDevice here(own.device());
      Held& held = held_.emplace_back();
      held.sort = make_transform(own, part_settings(), part_variant());
      held.other = Buffer<std::uint32_t>(own.backend(), batch_ << own_digits());
    }
    const auto d = static_cast<std::uint64_t>(d_), exchanges = d * (d + 1) / 2;
    const auto whole = network_of<Bitonic>(settings.n), part = network_of<Bitonic>(own_digits());
    begin_report(held_.front().sort->report(), 0, whole.stages() - part.stages(), exchanges + d * merge_launches());
    report_.operators = whole.nodes();
    tell_link(exchanges << settings.n, sizeof(std::uint32_t), exchanges);
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    return held_.front().sort->resources(queue);
  }

 protected:
  void run_parts(Team::Step& step, const void* in, void* out, std::uint64_t*) override {
    const auto keys = [&](int device) { return static_cast<std::uint32_t*>(part_out(device, out)); };
    step.each(
        kernel_,
        [&](int device, Queue& queue) {
          held_[static_cast<std::size_t>(device)].sort->run(queue, part_in(device, in), keys(device), nullptr);
        },
        /*may_wait=*/true);
    std::vector<const void*> from;
    std::vector<void*> to;
    for (int device = 0; device < devices(); ++device) {
      from.push_back(keys(device));
      to.push_back(held_[static_cast<std::size_t>(device)].other.data());
    }
    for (int level = 1; level <= d_; ++level) {
      // Two rising runs are one of its two halves against the other, turned round.
      for (int digit = level - 1; digit >= 0; --digit) {
        const bool first = digit == level - 1;
        const int partner = first ? (1 << level) - 1 : 1 << digit;
        step.exchange("butterfly.link", swapped(partner), from, to);
        step.each(kernel_, [&](int device, Queue& queue) {
          launch(kernel_, queue, row_shape(batch_ << own_digits()),
                 KeepKeys{keys(device), held_[static_cast<std::size_t>(device)].other.data(), own_digits(),
                          batch_ << own_digits(), first, (device >> digit & 1) == 0});
        });
      }
      step.each(kernel_, [&](int device, Queue& queue) {
        merges_.launch(kernel_, queue, keys(device), batch_, own_digits(), own_digits());
      });
    }
  }
  std::uint64_t bytes_on(int device) const override {
    const Held& held = held_[static_cast<std::size_t>(device)];
    return rows_bytes(device) + held.other.bytes() + held.sort->bytes();
  }
  /// Every launch reads all keys, and writes them.
  std::uint64_t bytes_moved() const override { return report_.launches * bytes_moved_; }

 private:
  struct Held {
    std::unique_ptr<Transform> sort;
    Buffer<std::uint32_t> other;  ///< the partner's part
  };
  /// A part's tiles: where it is shorter, itself. Plans of tuned sorts have more of them in a thread.
  static NetworkMapping tile_of(const NetworkMapping& mapping) {
    const int s = std::min(mapping.s, 12), n = std::min(mapping.n, s), p = std::min({mapping.p, n, 2});
    return {n, p, std::min(s, p + 10)};
  }
  std::uint64_t merge_launches() const { return merges_.launches(own_digits()); }
  LinkPlan swapped(int partner) const {
    LinkPlan plan;
    for (int device = 0; device < devices(); ++device)
      plan.transfers.push_back({device ^ partner, device, 0, 0, (sizeof(std::uint32_t) * batch_) << own_digits()});
    return plan;
  }

  BitonicMerges merges_;
  std::vector<Held> held_;  ///< by device
};

}  // namespace

std::unique_ptr<Transform> make_long_sort_parts(Queue& queue, const ButterflySettings& settings,
                                                const ButterflyVariant& variant) {
  return std::make_unique<LongSortParts>(queue, settings, variant);
}

}  // namespace warploom
