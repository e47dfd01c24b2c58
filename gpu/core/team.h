#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/core/link.h"
#include "gpu/core/queue.h"

namespace warploom {

/// What a device did during a step over devices.
struct TeamSpan {
  int device = 0;
  bool link = false;  ///< an exchange, else work
  std::string name;
  double begin_us = 0, end_us = 0;  ///< from where that device began
  std::uint64_t bytes = 0;          ///< that came to it by an exchange
};

/// Devices that run a step together, and the link between them. Of the CPU each is a pool of its own, with its share of
/// the threads, and a thread that drives it. A team exists as long as someone holds it. Steps of
/// different callers run one after another.
class Team {
 public:
  /// The team of devices 0 to `devices` - 1. Any thread. Throws UsageError where there are fewer.
  static std::shared_ptr<Team> of(Backend backend, int devices);
  ~Team();
  Team& operator=(Team&&) = delete;  // neither copied nor moved

  int size() const { return static_cast<int>(queues_.size()); }
  Backend backend() const { return queues_.front()->backend(); }
  /// Of work. Outside of steps: of who makes memory on a device.
  Queue& queue(int device) { return *queues_[static_cast<std::size_t>(device)]; }
  const Link& link() const { return *link_; }
  /// Whether all reach each other without the host.
  bool direct() const;

  /// One step, in phases, each of which all devices begin in the same order: so none of them can wait for an exchange
  /// that another has not begun. What `outer` was given before comes before, and what it is given behind `finish`
  /// behind; its cancelling is that of the devices. Left without `finish` (a cancelled launch, an error) it waits until
  /// no device runs.
  class Step {
   public:
    Step(Team& team, Queue& outer);
    ~Step();
    Step& operator=(Step&&) = delete;  // neither copied nor moved

    /// body(device, its queue), of every device: on the CPU of all at once; returns when all are done, or, of CUDA,
    /// launched. The first error of a body is thrown here. `may_wait`: a body may wait for its device, so that those of
    /// CUDA are at once, too.
    void each(const char* name, const std::function<void(int device, Queue& queue)>& body, bool may_wait = false);
    /// From these memories to those, by device; work behind it waits for it, and may write what was sent.
    void exchange(const char* name, const LinkPlan& plan, const std::vector<const void*>& from,
                  const std::vector<void*>& to);
    /// Waits for all, and tells what they did. Times of two devices are not compared: each counts from its own begin.
    std::vector<TeamSpan> finish();

   private:
    struct Mark;
    /// `plan`: of an exchange; null: it is work.
    void run(const char* name, const LinkPlan* plan, bool may_wait, const std::function<void(int, Queue&)>& body);
    Team& team_;
    Queue& outer_;
    std::unique_lock<std::mutex> whole_;
    std::vector<std::vector<Mark>> marks_;  ///< by device
    bool finished_ = false;
  };

 private:
  Team(Backend backend, int devices);
  class Events;
  std::vector<std::unique_ptr<Queue>> queues_;
  std::unique_ptr<Pool> drivers_;  ///< a thread a device
  std::unique_ptr<Link> link_;
  std::unique_ptr<Events> events_;  ///< of CUDA
  std::mutex step_;
};

/// The longest of the devices' times between their own first and last events.
double longest_ms(const std::vector<TeamSpan>& spans);

}  // namespace warploom
