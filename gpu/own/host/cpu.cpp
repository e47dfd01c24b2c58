#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "gpu/core/pool.h"
#include "gpu/own/host/host.h"

namespace warploom::own {

namespace {

class CpuHost final : public Host {
 public:
  explicit CpuHost(unsigned threads) : pool_(threads) {}

 private:
  void map(const Order& order, int file, Answer& answer) override {
    // What both signal by lies in shared pages like all else.
    std::byte* const memory = map_file(order, file);
    if (!memory) return refuse(answer, "the host cannot map the program's memory");
    if (pages_.empty()) {
      signals_ = reinterpret_cast<Signals*>(memory);
      watch_falls(*signals_);
    }
    pages_[order.pages] = memory;
  }

  void unmap(std::byte* memory, const Order& order) override { munmap(memory, order.page_bytes); }

  void load(const Order& order, Answer& answer) override {
    OwnSize* of_arguments = nullptr;
    for (int i = 0; i < 2; ++i) {
      if (runs_when_loaded(order.paths[i]))
        return refuse(answer,
                      "a global object is made by code, or a function runs as the map is loaded; a map has neither");
      void* library = dlopen(order.paths[i], RTLD_NOW | RTLD_LOCAL);
      if (!library) return refuse(answer, dlerror());
      const auto find = [&](const char* name, auto& to) {
        to = reinterpret_cast<std::decay_t<decltype(to)>>(dlsym(library, name));
        return to != nullptr;
      };
      Code& code = codes_[i];
      OwnSize* size = nullptr;
      if (!find("own_size", size) || !find("own_launches", code.launches) || !find("own_run", code.run) ||
          !find("own_ask", code.ask))
        return refuse(answer, "the compiled map lacks a function");
      void (**fault)(const char*) = nullptr;  // of checked code alone
      if (find("own_fault", fault)) *fault = &tell_fault;
      Dl_info info{};
      dladdr(reinterpret_cast<void*>(code.run), &info);
      answer.base[i] = reinterpret_cast<std::uint64_t>(info.dli_fbase);
      of_arguments = size;
    }
    wait_for_threads();
    if (const char* why = give_up_rights()) return refuse(answer, why);
    size_ = of_arguments();
  }

  /// Until every thread of the pool has begun, and has its stack for signals: what a thread calls as it begins is among
  /// the rights that are given up.
  void wait_for_threads() {
    std::atomic<unsigned> begun{0};
    pool_.run(pool_.threads(), [&](std::uint64_t) {
      const Working here;
      ++begun;
      while (begun < pool_.threads()) std::this_thread::yield();
    });
  }

  void run(const Order& order, Arguments& with, void* second, Answer& answer) override {
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint32_t i = 0; i < order.steps; ++i) {
      if (i) go_on(with, second);
      run_once(order, with);
    }
    answer.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  void run_once(const Order& order, const Arguments& with) {
    const Code& code = codes_[order.job == Job::trusted_step];
    std::uint64_t first_visit = 0, first_chunk = 0;
    for (int launch = 0; launch < shape_.count; ++launch) {
      const std::uint64_t blocks = volume(shape_.grids[launch]);
      const std::uint64_t grain = blocks_of_chunk(shape_), chunks = chunks_of(shape_, launch);
      const std::uint64_t first = std::clamp(order.first, first_chunk, first_chunk + chunks) - first_chunk;
      const std::uint64_t last = std::clamp(order.last, first_chunk, first_chunk + chunks) - first_chunk;
      pool_.run(last > first ? last - first : 0, [&](std::uint64_t number) {
        if (signals_->cancelled.load(std::memory_order_relaxed)) return;
        const Working here;
        const std::uint64_t chunk = first + number;
        code.run(order.job, &with, &shape_, launch, first_visit, chunk * grain, std::min(blocks, (chunk + 1) * grain),
                 &whereabouts());
        signals_->beats.fetch_add(1, std::memory_order_relaxed);
      });
      first_visit += blocks * static_cast<std::uint64_t>(shape_.turns);
      first_chunk += chunks;
    }
  }

  void ask_launches(const Arguments& with, Answer& answer) override {
    const Working here;
    shape_ = {};
    codes_[0].launches(&with, &shape_);
    answer.launches = shape_;
  }
  void ask(const Arguments& with, const Visit& visit, Answer& answer) override {
    const Working here;
    codes_[0].ask(&with, &shape_, &visit, &answer.answered);
  }

  Pool pool_;
  struct Code {
    OwnLaunches* launches = nullptr;
    OwnRun* run = nullptr;
    OwnAsk* ask = nullptr;
  } codes_[2];  ///< checked, trusted
};

}  // namespace

std::unique_ptr<Host> cpu_host(unsigned threads) { return std::make_unique<CpuHost>(threads); }

}  // namespace warploom::own
