#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "gpu/core/shared_pages.h"
#include "gpu/own/compile_cpp.h"
#include "gpu/own/orders.h"
#include "gpu/own/text.h"

namespace warploom {

/// What became of an own map that cannot go on.
struct OwnFault {
  std::string kind;         ///< division, bounds, undefined, address, stack, time, call, end, launch
  std::string text;         ///< "division by zero"
  std::optional<int> line;  ///< of the user's text
  std::optional<Index3> block, thread;
  std::string file = {};  ///< that the line is of; empty: the map's
};

/// Chunks of all launches, from the first to the one before `last`.
struct OwnChunks {
  std::uint64_t first = 0, last = ~std::uint64_t{0};
};

/// Milliseconds without progress after which a map has no end (WARPLOOM_OWN_PATIENCE).
double own_patience();

/// An own map's own process, and what the program asks of it. It may fall at any order: then every later one answers
/// with the same fault. One order at a time; any thread may ask.
class OwnRunner {
 public:
  /// Starts the process, of the CPU with so many threads; it opens its device while the caller compiles. `rule`: what
  /// runs under the map, too; null: nothing. Throws Error where it cannot be started.
  OwnRunner(const OwnSource& text, std::shared_ptr<const OwnSource> rule, Backend backend, unsigned threads);
  ~OwnRunner();
  OwnRunner& operator=(OwnRunner&&) = delete;  // neither copied nor moved
  /// Gives it the code: once, before all that follows. Throws Error where it does not take it; it is of no use then.
  void load(const CompiledOwn& compiled);
  /// Shares memory with it that no order names yet. Throws Error where that cannot be.
  void share(void* memory);

  /// What the map launches, for these arguments, which are from now on those of runs and questions: their memory is the
  /// program's, of shared pages (shared_pages.h), of a device written by now. None: it fell.
  template <class With>
  std::optional<own::Launches> launches(const With& with) {
    return asked_launches(bytes_of(with));
  }
  /// A job over all launches. Milliseconds that it took; none: it fell. Throws Cancelled. Several `steps`: as
  /// own::Order has them. `part`: of chunks(), on a CPU.
  template <class With>
  std::optional<double> run(own::Job job, const With& with, const std::atomic<bool>* cancel, std::uint32_t steps = 1,
                            void* second = nullptr, OwnChunks part = {}) {
    return asked_run(job, bytes_of(with), cancel, steps, second, part);
  }
  /// Into how many chunks all launches are parted; the process tells of each. Once it was asked what it launches.
  std::uint64_t chunks() const;
  /// Where a thread goes. Empty: the map fell, or its process is busy; this call does not wait for it.
  template <class With>
  std::optional<own::Answered> ask(const With& with, const own::Visit& visit) {
    return asked_visit(bytes_of(with), visit);
  }
  /// The memory of these arguments is to be released: the map's process gives it back. Not that of states, which it
  /// keeps.
  template <class With>
  void give_back(const With& with) {
    asked_back(bytes_of(with));
  }
  std::optional<OwnFault> fault() const;
  /// Says so itself: what the map launches cannot be.
  void refuse(const OwnFault& fault);

 private:
  template <class With>
  static std::span<const std::byte> bytes_of(const With& with) {
    static_assert(std::is_base_of_v<own::Arguments, With> && sizeof(With) <= own::most_argument_bytes);
    return {reinterpret_cast<const std::byte*>(&with), sizeof with};
  }
  std::optional<own::Launches> asked_launches(std::span<const std::byte> with);
  std::optional<double> asked_run(own::Job job, std::span<const std::byte> with, const std::atomic<bool>* cancel,
                                  std::uint32_t steps, void* second, OwnChunks part);
  std::optional<own::Answered> asked_visit(std::span<const std::byte> with, const own::Visit& visit);

  /// Sends an order and waits for its answer, as long as there is progress. None: it fell, and fault_ says how.
  std::optional<own::Answer> order(own::Order& order, std::span<const std::byte> with,
                                   const std::atomic<bool>* cancel = nullptr, int file = -1);
  /// Fills where the arguments' memory lies, and hands over pages that the host has not yet. False: it fell.
  bool place(own::Order& order, std::span<const std::byte> with);
  bool place(own::PagesAt& at, void* memory);
  void asked_back(std::span<const std::byte> with);
  std::optional<own::Answer> hand_over(const SharedPages& pages);
  /// The first pages of all: what it signals by. Throws Error.
  void hand_signals_over();
  void start(unsigned threads);
  void end() noexcept;
  OwnFault told(bool in_time) const;
  /// Where it fell: a line, and the file where that is the rule's.
  std::pair<std::optional<int>, std::string> place_of_fall() const;

  OwnSource text_;
  std::shared_ptr<const OwnSource> rule_;
  CompiledOwn compiled_;
  Backend backend_;
  std::mutex mutex_;
  mutable std::mutex fault_mutex_;
  std::optional<OwnFault> fault_;
  std::uint64_t base_[2] = {};
  own::Launches shape_;
  own::Signals* signals_ = nullptr;                ///< of shared pages
  std::map<std::uint64_t, std::uint64_t> handed_;  ///< numbers of pages that the host has, and where they begin there
  double judged_ms_ = 0, step_ms_ = 0;             ///< how long judging took, and the last step
  std::uint64_t handed_bytes_ = 0;
  bool asking_launches_ = false;
  int process_ = 0, socket_ = -1;
};

}  // namespace warploom
