#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/core/team.h"
#include "gpu/scenes/butterfly/devices/device_plan.h"
#include "gpu/scenes/butterfly/tracks/transform.h"
#include "gpu/tracks/facets/over_devices.h"

namespace warploom {

/// A transform whose work several devices share. Its input and output are whole arrays of the first device; what
/// another device works on is copied there and back outside of the step's time, but for pools, which reach it where it
/// lies.
class TeamTransform : public Transform {
 public:
  TeamTransform(const Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant);

  /// What each device launches, in the launch that does the most: its shape, of so many problems, and log2 of the
  /// threads of one.
  struct Part {
    LaunchShape shape;
    std::uint64_t problems = 0;
    int threads_x = 0;
  };
  virtual std::vector<Part> parts() const = 0;
  /// Any thread.
  std::shared_ptr<const DevicesReport> devices() const;
  /// Of rows that are split by elements: which device has an element when a stage runs; 0: as loaded; one past the
  /// last: as stored. Else -1.
  virtual int device_at(int /*stage*/, std::uint32_t /*e*/) const { return -1; }

  void run(Queue& queue, const void* in, void* out, std::uint64_t* singular) final;
  LaunchShape shape() const override { return parts().front().shape; }
  /// By a transform of one device: the nodes are the same.
  TransformTrace trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t* singular) override;

 protected:
  /// Launches, phase by phase.
  virtual void run_parts(Team::Step& step, const void* in, void* out, std::uint64_t* singular) = 0;
  /// Before and behind a step, in the queue of the first device.
  virtual void scatter(Queue& /*queue*/, const void* /*in*/) {}
  virtual void gather(Queue& /*queue*/, void* /*out*/, std::uint64_t* /*singular*/) {}
  /// That a step moves at least, of all devices.
  virtual std::uint64_t bytes_moved() const { return bytes_moved_; }
  /// Bytes on a device.
  virtual std::uint64_t bytes_on(int device) const = 0;
  /// Of every step: `split`, and what crosses the link.
  virtual void tell(DevicesReport& report) const = 0;
  /// Whether a device works on arrays of the first one.
  bool reaches(int device) const { return team_->backend() == Backend::cpu || device == 0; }
  std::uint64_t bytes() const override;

  ButterflyVariant variant_;  ///< of a part: of one device
  std::shared_ptr<Team> team_;

 private:
  ButterflyVariant asked_;
  std::uint64_t launches_ = 0;                         ///< of a device in a step
  mutable std::mutex mutex_;                           ///< of what follows
  mutable std::shared_ptr<const DevicesReport> last_;  ///< made when first asked for
  std::mutex whole_mutex_;
  std::unique_ptr<Transform> whole_;  ///< made when a trace is asked for
};

/// Of a variant whose `devices` is more than 1, by settings.split.
std::unique_ptr<Transform> make_team_transform(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyVariant& variant);

// Rows whose elements are shared out, by algorithm.
std::unique_ptr<Transform> make_scan_parts(Queue& queue, const ButterflySettings& settings,
                                           const ButterflyVariant& variant);
std::unique_ptr<Transform> make_system_parts(Queue& queue, const ButterflySettings& settings,
                                             const ButterflyVariant& variant);
std::unique_ptr<Transform> make_fft_parts(Queue& queue, const ButterflySettings& settings,
                                          const ButterflyVariant& variant);
std::unique_ptr<Transform> make_sort_parts(Queue& queue, const ButterflySettings& settings,
                                           const ButterflyVariant& variant);

}  // namespace warploom
