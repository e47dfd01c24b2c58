#include "gpu/core/team.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "gpu/core/device_event.h"
#include "gpu/core/device_pages.h"
#include "gpu/core/devices.h"
#include "gpu/core/error.h"
#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

}  // namespace

/// Events of the devices of CUDA: those that keep the order, and timed ones, taken up again by each step.
class Team::Events {
 public:
  explicit Events(int devices) : timed_(static_cast<std::size_t>(devices)), used_(static_cast<std::size_t>(devices)) {
    for (int i = 0; i < devices; ++i) {
      const OnDevice here({Backend::cuda, i});
      reached.emplace_back(Backend::cuda);
    }
  }
  ~Events() {
#if WARPLOOM_WITH_CUDA
    for (const auto& all : timed_)
      for (void* one : all) cudaEventDestroy(static_cast<cudaEvent_t>(one));
#endif
  }
  Events& operator=(Events&&) = delete;  // neither copied nor moved

  void begin() { std::fill(used_.begin(), used_.end(), 0); }
  /// Now, in a device's queue.
  void* record([[maybe_unused]] Queue& queue) {
#if WARPLOOM_WITH_CUDA
    const auto device = static_cast<std::size_t>(queue.device().number);
    const OnDevice here(queue.device());
    auto& all = timed_[device];
    if (used_[device] == all.size()) all.push_back(make_event(cudaEventBlockingSync));
    void* event = all[used_[device]++];
    WARPLOOM_CUDA(cudaEventRecord(static_cast<cudaEvent_t>(event), stream_of(queue)));
    return event;
#else
    return nullptr;
#endif
  }
  static double microseconds([[maybe_unused]] void* from, [[maybe_unused]] void* to) {
    float milliseconds = 0;
#if WARPLOOM_WITH_CUDA
    WARPLOOM_CUDA(cudaEventElapsedTime(&milliseconds, static_cast<cudaEvent_t>(from), static_cast<cudaEvent_t>(to)));
#endif
    return 1e3 * static_cast<double>(milliseconds);
  }

  std::vector<DeviceEvent> reached;  ///< by device: what it was given so far
  DeviceEvent outer{Backend::cuda};

 private:
  std::vector<std::vector<void*>> timed_;
  std::vector<std::size_t> used_;
};

/// Begin and end of a phase on a device.
struct Team::Step::Mark {
  const char* name;
  bool link;
  std::uint64_t bytes;
  Clock::time_point begin{}, end{};
  void *begun = nullptr, *ended = nullptr;  ///< of CUDA
};

std::shared_ptr<Team> Team::of(Backend backend, int devices) {
  static std::mutex mutex;
  static std::map<std::pair<Backend, int>, std::weak_ptr<Team>> kept;
  const std::lock_guard lock(mutex);
  auto& known = kept[{backend, devices}];
  std::shared_ptr<Team> team = known.lock();
  if (!team) known = team = std::shared_ptr<Team>(new Team(backend, devices));
  return team;
}

Team::Team(Backend backend, int devices) : link_(make_link(backend)) {
  check_devices(backend, devices);
  const unsigned all = std::max(1u, std::thread::hardware_concurrency()),
                 own = std::max(1u, all / static_cast<unsigned>(devices));
  for (int i = 0; i < devices; ++i) queues_.push_back(std::make_unique<Queue>(Device{backend, i}, false, own));
  drivers_ = std::make_unique<Pool>(static_cast<unsigned>(devices));
  if (backend == Backend::cuda) events_ = std::make_unique<Events>(devices);
#if WARPLOOM_WITH_CUDA
  // Copies go through the host where this fails, and that is told.
  for (int one = 0; backend == Backend::cuda && one < devices; ++one)
    for (int other = 0; other < devices; ++other) {
      const OnDevice here({backend, one});
      const int ordinal = cuda_ordinal({backend, other});
      if (ordinal != cuda_ordinal({backend, one}) && cudaDeviceEnablePeerAccess(ordinal, 0) != cudaSuccess)
        (void)cudaGetLastError();
    }
#endif
}

Team::~Team() = default;

bool Team::direct() const {
  for (const auto& one : queues_)
    for (const auto& other : queues_)
      if (!reach_each_other(one->device(), other->device())) return false;
  return true;
}

Team::Step::Step(Team& team, Queue& outer)
    : team_(team), outer_(outer), whole_(team.step_, std::defer_lock), marks_(team.queues_.size()) {
  // Steps of other users may be long.
  while (!whole_.try_lock()) {
    if (outer.cancel && outer.cancel->load()) throw Cancelled();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  if (team_.events_) {
    team_.events_->begin();
    team_.events_->outer.set(outer);
    for (auto& queue : team_.queues_) team_.events_->outer.hold(*queue);
  }
  for (auto& queue : team_.queues_) queue->cancel = outer.cancel;
}

Team::Step::~Step() {
  if (!finished_)
    for (auto& queue : team_.queues_) try {
        queue->wait();
      } catch (const Error&) {  // who stepped is told of it by what ended the step
      }
  for (auto& queue : team_.queues_) queue->cancel = nullptr;
}

void Team::Step::run(const char* name, const LinkPlan* plan, bool may_wait,
                     const std::function<void(int, Queue&)>& body) {
  const auto one = [&](int device) {
    Queue& queue = team_.queue(device);
    const OnDevice here(queue.device());
    Mark mark{name, plan != nullptr, 0};
    if (plan)
      for (const Transfer& transfer : plan->transfers)
        if (transfer.to == device && transfer.from != device) mark.bytes += transfer.bytes;
    if (team_.events_) mark.begun = team_.events_->record(queue);
    mark.begin = Clock::now();
    body(device, queue);
    mark.end = Clock::now();
    if (team_.events_) mark.ended = team_.events_->record(queue);
    marks_[static_cast<std::size_t>(device)].push_back(mark);
  };
  if (team_.backend() == Backend::cpu && teams_are_checked() && !plan) {
    for (int device = 0; device < team_.size(); ++device) {
      if (outer_.cancel && outer_.cancel->load()) throw Cancelled();
      const OnlyOwnBuffers others_are_closed(device, name);
      one(device);
    }
    return;
  }
  if (team_.backend() == Backend::cpu || may_wait) {
    const bool finished = team_.drivers_->run(
        static_cast<std::uint64_t>(team_.size()), [&](std::uint64_t device) { one(static_cast<int>(device)); },
        outer_.cancel);
    if (!finished) throw Cancelled();
    return;
  }
  if (outer_.cancel && outer_.cancel->load()) throw Cancelled();
  for (int device = 0; device < team_.size(); ++device) one(device);
}

void Team::Step::each(const char* name, const std::function<void(int device, Queue& queue)>& body, bool may_wait) {
  run(name, nullptr, may_wait, body);
}

void Team::Step::exchange(const char* name, const LinkPlan& plan, const std::vector<const void*>& from,
                          const std::vector<void*>& to) {
  const auto wait_for_all = [&] {
    if (!team_.events_) return;
    for (int device = 0; device < team_.size(); ++device)
      team_.events_->reached[static_cast<std::size_t>(device)].set(team_.queue(device));
    for (auto& queue : team_.queues_)
      for (const DeviceEvent& other : team_.events_->reached) other.hold(*queue);
  };
  wait_for_all();  // what is read is written
  run(name, &plan, false, [&](int, Queue& queue) { team_.link().receive(queue, plan, from, to); });
  wait_for_all();  // what was read may be written
}

std::vector<TeamSpan> Team::Step::finish() {
  std::vector<TeamSpan> spans;
  for (int device = 0; device < team_.size(); ++device) {
    team_.queue(device).wait();
    const auto& marks = marks_[static_cast<std::size_t>(device)];
    for (const Mark& mark : marks) {
      const Mark& first = marks.front();
      const bool timed = mark.begun != nullptr;
      spans.push_back({device, mark.link, mark.name,
                       timed ? Events::microseconds(first.begun, mark.begun) : microseconds(first.begin, mark.begin),
                       timed ? Events::microseconds(first.begun, mark.ended) : microseconds(first.begin, mark.end),
                       mark.bytes});
    }
  }
  finished_ = true;
  return spans;
}

double longest_ms(const std::vector<TeamSpan>& spans) {
  double longest = 0;
  for (const TeamSpan& span : spans) longest = std::max(longest, span.end_us);
  return longest / 1e3;
}

}  // namespace warploom
