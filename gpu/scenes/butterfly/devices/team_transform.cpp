#include "gpu/scenes/butterfly/devices/team_transform.h"

#include "gpu/core/backend.h"
#include "gpu/core/devices.h"
#include "gpu/core/scoped_member.h"
#include "gpu/core/stopwatch.h"
#include "gpu/scenes/butterfly/devices/long_parts.h"

namespace warploom {

TeamTransform::TeamTransform(const Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
    : Transform(settings), variant_(variant), team_(Team::of(queue.backend(), variant.devices)), asked_(variant) {
  variant_.devices = asked_.devices = 1;
}

std::shared_ptr<const DevicesReport> TeamTransform::devices() const {
  const std::lock_guard lock(mutex_);
  if (last_) return last_;
  auto report = std::make_shared<DevicesReport>(begun_report(*team_));
  report->order = settings_.order;
  const auto all = parts();
  for (int device = 0; device < team_->size(); ++device) {
    auto& each = report->each[static_cast<std::size_t>(device)];
    const bool whole = !report->pools && device == 0, nothing = !report->pools && device > 0;
    const auto share = [&](const RowShape& shape, std::uint64_t states) {
      const std::uint64_t rows = states * batch_ * shape.row_bytes();
      return whole ? rows : nothing ? 0 : rows / static_cast<std::uint64_t>(team_->size());
    };
    each.input = share(input_shape(settings_), is_signal_file(settings_) ? 1 : 2);
    each.output = share(output_shape(settings_), 2);
    each.bytes = each.input + each.output + bytes_on(device);
    each.blocks = all[static_cast<std::size_t>(device)].shape.block_count();
  }
  ButterflySettings problem = settings_;
  problem.batch = 1;
  report->problem_bytes = static_cast<std::uint64_t>(rows_bytes(problem));
  report->allowed = settings_.device_memory;
  report->fits = settings_.n <= variant_.mapping.s ? 1 : report->fits_several_alone() ? 3 : 2;
  tell(*report);
  last_ = std::move(report);
  return last_;
}

void TeamTransform::run(Queue& queue, const void* in, void* out, std::uint64_t* singular) {
  if (launches_ == 0) launches_ = report().launches;
  std::vector<TeamSpan> spans;
  {
    const ScopedUntimed aside(queue);
    scatter(queue, in);
    Team::Step step(*team_, queue);
    run_parts(step, in, out, singular);
    spans = step.finish();
    gather(queue, out, singular);
  }
  auto report = std::make_shared<DevicesReport>(*devices());
  for (int device = 0; device < team_->size(); ++device) {
    auto& each = report->each[static_cast<std::size_t>(device)];
    each.bytes = each.input + each.output + bytes_on(device);
  }
  if (queue.stopwatch) queue.stopwatch->record(kernel_, bytes_moved(), longest_ms(spans), launches_);
  tell_step(*report, std::move(spans));
  const std::lock_guard lock(mutex_);
  last_ = std::move(report);
}

TransformTrace TeamTransform::trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t* singular) {
  const std::lock_guard lock(whole_mutex_);
  if (!whole_) whole_ = make_transform(queue, settings_, asked_);
  return whole_->trace(queue, in, wanted, singular);
}

std::uint64_t TeamTransform::bytes() const {
  std::uint64_t all = 0;
  for (int device = 0; device < team_->size(); ++device) all += bytes_on(device);
  return all;
}

namespace {

/// Whole rows, each of one device: with remainders to the first. Every transform of one device, once a device.
class TeamRows final : public TeamTransform {
 public:
  TeamRows(const Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : TeamTransform(queue, settings, variant), in_(input_shape(settings)), out_(output_shape(settings)) {
    const auto devices = static_cast<std::uint64_t>(team_->size());
    std::uint64_t first = 0;
    for (std::uint64_t k = 0; k < devices; ++k) {
      Rows rows;
      rows.first = first;
      rows.count = settings.batch / devices + (k < settings.batch % devices);
      first += rows.count;
      Queue& own = team_->queue(static_cast<int>(k));
      const OnDevice here(own.device());
      ButterflySettings part = settings;
      part.batch = rows.count;
      rows.transform = make_transform(own, part, variant_);
      // Rows that lie element by element are none of a part's array.
      rows.copied = variant_.interleaved || !reaches(static_cast<int>(k));
      if (rows.copied) {
        rows.in = Buffer<std::uint8_t>(own.backend(), rows.count * in_.row_bytes());
        rows.out = Buffer<std::uint8_t>(own.backend(), rows.count * out_.row_bytes());
      }
      if (!reaches(static_cast<int>(k))) rows.singular = Buffer<std::uint64_t>(own.backend(), rows.count);
      rows_.push_back(std::move(rows));
    }
  }

  std::vector<Part> parts() const override {
    std::vector<Part> all;
    for (const Rows& one : rows_) all.push_back({one.transform->shape(), one.count, variant_.mapping.threads_x()});
    return all;
  }
  NetworkReport report() const override {
    NetworkReport report = rows_.front().transform->report();
    report.devices = static_cast<int>(rows_.size());
    report.values = report.link_exchanges = 0;
    for (std::size_t k = 1; k < rows_.size(); ++k) report.blocks += rows_[k].transform->report().blocks;
    return report;
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    return rows_.front().transform->resources(queue);
  }
  std::vector<NetworkEdge> edges() const override { return rows_.front().transform->edges(); }
  std::vector<SharedAccess> accesses() const override { return rows_.front().transform->accesses(); }
  std::vector<std::int32_t> locations() const override { return rows_.front().transform->locations(); }
  RowShape step_shape() const override { return rows_.front().transform->step_shape(); }

 protected:
  void scatter(Queue& queue, const void* in) override {
    for (const Rows& one : rows_)
      if (one.copied) copy(queue, one, in_, in, one.in.data(), false);
  }
  void gather(Queue& queue, void* out, std::uint64_t* singular) override {
    for (const Rows& one : rows_) {
      if (one.copied) copy(queue, one, out_, one.out.data(), out, true);
      if (singular && one.singular.size())
        copy_bytes(queue, singular + one.first, one.singular.data(), one.singular.bytes());
    }
  }
  void run_parts(Team::Step& step, const void* in, void* out, std::uint64_t* singular) override {
    step.each(
        kernel_,
        [&](int device, Queue& queue) {
          const Rows& own = rows_[static_cast<std::size_t>(device)];
          const void* from =
              own.copied ? own.in.data() : static_cast<const std::uint8_t*>(in) + own.first * in_.row_bytes();
          void* to = own.copied ? own.out.data() : static_cast<std::uint8_t*>(out) + own.first * out_.row_bytes();
          std::uint64_t* note = singular ? singular + own.first : nullptr;
          if (singular && own.singular.size()) {
            note = own.singular.data();
            fill_with_ones(queue, note, own.singular.bytes());
          }
          own.transform->run(queue, from, to, note);
        },
        /*may_wait=*/true);
  }
  std::uint64_t bytes_on(int device) const override {
    const Rows& own = rows_[static_cast<std::size_t>(device)];
    return own.in.bytes() + own.out.bytes() + own.singular.bytes() + own.transform->bytes();
  }
  void tell(DevicesReport& report) const override { report.split = "rows"; }

 private:
  struct Rows {
    std::uint64_t first = 0, count = 0;
    std::unique_ptr<Transform> transform;
    bool copied = false;
    Buffer<std::uint8_t> in, out;
    Buffer<std::uint64_t> singular;
  };
  /// Between an array of all rows and that of a part.
  void copy(Queue& queue, const Rows& rows, const RowShape& shape, const void* from, void* to, bool back) const {
    const std::uint64_t width = variant_.interleaved ? shape.bytes : shape.row_bytes(),
                        lines = variant_.interleaved ? shape.elements : 1, of_all = settings_.batch * width,
                        of_part = rows.count * width;
    const auto* source = static_cast<const std::uint8_t*>(from) + (back ? 0 : rows.first * width);
    auto* target = static_cast<std::uint8_t*>(to) + (back ? rows.first * width : 0);
    copy_rows(queue, target, back ? of_all : of_part, source, back ? of_part : of_all, of_part, lines);
  }
  RowShape in_, out_;
  std::vector<Rows> rows_;
};

}  // namespace

std::unique_ptr<Transform> make_team_transform(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyVariant& variant) {
  if (settings.split == "rows") return std::make_unique<TeamRows>(queue, settings, variant);
  const bool by_parts = is_long(settings, variant);
  if (settings.algorithm == "scan")
    return (by_parts ? make_long_scan_parts : make_scan_parts)(queue, settings, variant);
  if (settings.algorithm == "tridiagonal")
    return (by_parts ? make_long_system_parts : make_system_parts)(queue, settings, variant);
  if (settings.algorithm == "sort")
    return (by_parts ? make_long_sort_parts : make_sort_parts)(queue, settings, variant);
  return (by_parts ? make_long_fft_parts : make_fft_parts)(queue, settings, variant);
}

}  // namespace warploom
