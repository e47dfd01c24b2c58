// Long systems whose rows are shared out among devices: each goes down to the two ends of its part, solves the system
// of all of them, and goes up.
// nvcc: by itself
#include "gpu/core/launch.h"
#include "gpu/scenes/butterfly/devices/long_parts.h"
#include "gpu/scenes/butterfly/devices/part_rule.h"
#include "gpu/scenes/butterfly/tracks/wang_mou_tiles.h"

namespace warploom {

namespace {

/// The ends of all parts, problem by problem. Launched with row_shape(devices * batch).
struct JoinEnds {
  const SystemRow* parts;  ///< (devices, batch, 2)
  std::uint64_t devices, batch;
  SystemRow* rows;  ///< (batch, devices, 2)
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, devices * batch, [&](std::uint64_t i) {
      const std::uint64_t device = i / batch, problem = i % batch;
      for (std::uint64_t end = 0; end < 2; ++end) rows[2 * (problem * devices + device) + end] = parts[2 * i + end];
    });
  }
};

/// Of the unknowns of all ends a device's own, and those beside them. Launched with row_shape(batch).
struct TakeEnds {
  const float* all;  ///< (batch, devices, 2)
  std::uint64_t devices, batch, device;
  float *own, *outside;  ///< (batch, 2)
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, batch, [&](std::uint64_t problem) {
      const float* const at = all + 2 * (problem * devices + device);
      own[2 * problem] = at[0];
      own[2 * problem + 1] = at[1];
      outside[2 * problem] = device == 0 ? 0 : at[-1];
      outside[2 * problem + 1] = device + 1 == devices ? 0 : at[2];
    });
  }
};

class LongSystemParts final : public LongParts {
 public:
  LongSystemParts(const Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : LongParts(queue, settings, variant) {
    const bool shuffles = variant.exchange == Exchange::shuffle;
    const auto count = static_cast<std::uint64_t>(devices());
    for (int device = 0; device < devices(); ++device) {
      Queue& own = team_->queue(device);
      const OnDevice here(own.device());
      WangMouTiles::Rows rows{own_digits(), batch_, true, device == 0, device + 1 == devices(), 0};
      rows.first = static_cast<std::uint64_t>(device) << own_digits();
      Held& held = held_.emplace_back(own, rows, variant.mapping, shuffles, d_ + 1);
      const Backend backend = own.backend();
      held.received = Buffer<SystemRow>(backend, 2 * count * batch_);
      held.rows = Buffer<SystemRow>(backend, 2 * count * batch_);
      held.unknowns = Buffer<float>(backend, 2 * count * batch_);
      held.outside = Buffer<float>(backend, 2 * batch_);
      held.singular = Buffer<std::uint64_t>(backend, batch_);
    }
    link_ = all_gather(devices(), 2 * sizeof(SystemRow) * batch_);
    NetworkReport part;
    held_.front().tiles.tell(part);
    part.launches = 2 * static_cast<std::uint64_t>(held_.front().tiles.levels());
    // Every device solves the system of all ends.
    NetworkReport top;
    held_.front().top.tell(top);
    begin_report(part, top.operators * count, top.stages, 3);
    report_.replicated = top.operators * (count - 1);
    report_.exchanges += top.exchanges;
    tell_link(2 * count * (count - 1), sizeof(SystemRow), 1);
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    return held_.front().tiles.resources(queue);
  }

 protected:
  void run_parts(Team::Step& step, const void* in, void* out, std::uint64_t*) override {
    std::vector<const void*> from(held_.size());
    std::vector<void*> to;
    step.each(kernel_, [&](int device, Queue& queue) {
      const auto* rows = static_cast<const SystemRow*>(part_in(device, in));
      from[static_cast<std::size_t>(device)] = held_[static_cast<std::size_t>(device)].tiles.down(kernel_, queue, rows);
    });
    for (const Held& held : held_) to.push_back(held.received.data());
    step.exchange("butterfly.link", link_, from, to);
    step.each(kernel_, [&](int device, Queue& queue) {
      Held& held = held_[static_cast<std::size_t>(device)];
      const std::uint64_t count = held_.size();
      launch(kernel_, queue, row_shape(count * batch_),
             JoinEnds{held.received.data(), count, batch_, held.rows.data()});
      held.top.solve(kernel_, queue, held.rows.data(), held.unknowns.data());
      launch(kernel_, queue, row_shape(batch_),
             TakeEnds{held.unknowns.data(), count, batch_, static_cast<std::uint64_t>(device), held.tiles.unknowns(),
                      held.outside.data()});
      held.tiles.up(kernel_, queue, static_cast<float*>(part_out(device, out)), held.outside.data());
    });
    step.each("butterfly.singular", [&](int device, Queue& queue) {
      const Held& held = held_[static_cast<std::size_t>(device)];
      fill_with_ones(queue, held.singular.data(), held.singular.bytes());
      held.tiles.note_singular(queue, held.singular.data());
      held.top.note_singular(queue, held.singular.data(), held.tiles.stages(), 1, own_digits());
    });
  }
  void gather(Queue& queue, void* out, std::uint64_t* singular) override {
    LongParts::gather(queue, out, singular);
    if (singular == nullptr) return;
    Buffer<std::uint64_t> theirs(queue.backend(), batch_);
    for (const Held& held : held_) {
      copy_bytes(queue, theirs.data(), held.singular.data(), theirs.bytes());
      launch("butterfly.singular", queue, row_shape(batch_), KeepEarliest{theirs.data(), batch_, singular});
    }
    queue.wait();
  }
  std::uint64_t bytes_on(int device) const override {
    const Held& held = held_[static_cast<std::size_t>(device)];
    return rows_bytes(device) + held.tiles.bytes() + held.top.bytes() + held.received.bytes() + held.rows.bytes() +
           held.unknowns.bytes() + held.outside.bytes() + held.singular.bytes();
  }
  std::uint64_t bytes_moved() const override { return bytes_moved_ + (2 * sizeof(SystemRow) * batch_ << settings_.n); }

 private:
  struct Held {
    Held(Queue& queue, const WangMouTiles::Rows& part, const NetworkMapping& mapping, bool shuffles, int n)
        : tiles(queue, part, mapping, shuffles), top(queue, n, part.batch, mapping, shuffles) {}
    WangMouTiles tiles;
    EndsSystems top;
    Buffer<SystemRow> received, rows;
    Buffer<float> unknowns, outside;
    Buffer<std::uint64_t> singular;
  };
  std::vector<Held> held_;  ///< by device
  LinkPlan link_;
};

}  // namespace

std::unique_ptr<Transform> make_long_system_parts(Queue& queue, const ButterflySettings& settings,
                                                  const ButterflyVariant& variant) {
  return std::make_unique<LongSystemParts>(queue, settings, variant);
}

}  // namespace warploom
