// Runs own maps as kernels of a device. The driver is opened here, so that this process is the same in a build without
// CUDA; its functions are declared as it declares them.
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "gpu/core/shared_library.h"
#include "gpu/own/host/host.h"

namespace warploom::own {

namespace {

using Address = unsigned long long;
struct Handle {
  unsigned char bytes[64];
};

/// The functions of the driver that are needed; results other than 0 are errors.
struct Driver {
  int (*init)(unsigned) = nullptr;
  int (*driver_version)(int*) = nullptr;
  int (*device_get)(int*, int) = nullptr;
  int (*context_retain)(void**, int) = nullptr;
  int (*context_set)(void*) = nullptr;
  int (*synchronize)() = nullptr;
  int (*module_load)(void**, const void*) = nullptr;
  int (*module_function)(void**, void*, const char*) = nullptr;
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                void**) = nullptr;
  int (*allocate)(Address*, std::size_t) = nullptr;
  int (*to_device)(Address, const void*, std::size_t) = nullptr;
  int (*to_host)(void*, Address, std::size_t) = nullptr;
  int (*open_handle)(Address*, Handle, unsigned) = nullptr;
  int (*close_handle)(Address) = nullptr;
  int (*event_create)(void**, unsigned) = nullptr;
  int (*event_record)(void*, void*) = nullptr;
  int (*event_elapsed)(float*, void*, void*) = nullptr;
  int (*error_text)(int, const char**) = nullptr;
  int (*stream_create)(void**, unsigned) = nullptr;
  int (*capture_begin)(void*, int) = nullptr;
  int (*capture_end)(void*, void**) = nullptr;
  int (*capture_free)(void*) = nullptr;
  int (*graph_make)(void**, void*, unsigned long long) = nullptr;
  int (*graph_launch)(void*, void*) = nullptr;
  int (*graph_end)(void*) = nullptr;

  bool load(const SharedLibrary& library) {
    return library.find("cuInit", init) && library.find("cuDriverGetVersion", driver_version) &&
           library.find("cuDeviceGet", device_get) && library.find("cuDevicePrimaryCtxRetain", context_retain) &&
           library.find("cuCtxSetCurrent", context_set) && library.find("cuCtxSynchronize", synchronize) &&
           library.find("cuModuleLoadData", module_load) && library.find("cuModuleGetFunction", module_function) &&
           library.find("cuLaunchKernel", launch) && library.find("cuMemAlloc_v2", allocate) &&
           library.find("cuMemcpyHtoD_v2", to_device) && library.find("cuMemcpyDtoH_v2", to_host) &&
           library.find("cuIpcOpenMemHandle_v2", open_handle) && library.find("cuIpcCloseMemHandle", close_handle) &&
           library.find("cuEventCreate", event_create) && library.find("cuEventRecord", event_record) &&
           library.find("cuEventElapsedTime", event_elapsed) && library.find("cuGetErrorString", error_text) &&
           library.find("cuStreamCreate", stream_create) && library.find("cuStreamBeginCapture_v2", capture_begin) &&
           library.find("cuStreamEndCapture", capture_end) && library.find("cuGraphDestroy", capture_free) &&
           library.find("cuGraphInstantiateWithFlags", graph_make) && library.find("cuGraphLaunch", graph_launch) &&
           library.find("cuGraphExecDestroy", graph_end);
  }
};

class DeviceHost final : public Host {
 public:
  explicit DeviceHost(int device) : device_(device), library_("libcuda.so.1") {}

  void prepare() override {
    if (!library_.there() || !cuda_.load(library_)) {
      unready_ = "libcuda.so.1 is not there";
      return;
    }
    int device = 0, error = 0;
    void* context = nullptr;
    if ((error = cuda_.init(0)) || (error = cuda_.device_get(&device, device_)) ||
        (error = cuda_.context_retain(&context, device)) || (error = cuda_.context_set(context)) ||
        (error = cuda_.stream_create(&stream_, 0)) || (error = cuda_.event_create(&begin_, 0)) ||
        (error = cuda_.event_create(&end_, 0)) ||
        (error = cuda_.allocate(&scratch_, sizeof(Launches) + sizeof(Answered))))
      unready_ = text_of(error);
  }

 private:
  void map(const Order& order, int file, Answer& answer) override {
    if (!order.of_device) {
      signals_ = reinterpret_cast<Signals*>(map_file(order, file));
      if (!signals_) return refuse(answer, "the host cannot map the program's memory");
      pages_[order.pages] = reinterpret_cast<std::byte*>(signals_);
      return;
    }
    if (!unready_.empty()) return refuse(answer, unready_);
    Handle handle;
    std::memcpy(handle.bytes, order.handle, sizeof handle.bytes);
    Address begin = 0;
    constexpr unsigned as_needed = 1;
    if (const int error = cuda_.open_handle(&begin, handle, as_needed))
      return refuse(answer, "this process cannot share the device's memory with the program: " + text_of(error) +
                                "; run own maps on the CPU: --backend cpu");
    pages_[order.pages] = std::bit_cast<std::byte*>(begin + order.page_offset);
  }

  void unmap(std::byte* memory, const Order& order) override {
    need(cuda_.close_handle(reinterpret_cast<Address>(memory) - order.page_offset));
  }

  void load(const Order& order, Answer& answer) override {
    if (!unready_.empty()) return refuse(answer, unready_);
    void *map_size = nullptr, *checked = nullptr;
    for (int i = 0; i < 2; ++i) {
      std::ifstream file(order.paths[i], std::ios::binary);
      const std::string code((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
      void* module = nullptr;
      if (const int error = cuda_.module_load(&module, code.data()))
        return refuse(answer, text_of(error) + driver_words());
      if (!find(module, "own_step", steps_[i])) return refuse(answer, "the compiled map lacks a function");
      if (i > 0) continue;
      checked = module;
      if (!find(module, "own_size", size_of_) || !find(module, "own_launches", launches_) ||
          !find(module, "own_ask", ask_) || !find(module, "own_judge", judge_) ||
          !find(module, "own_map_size", map_size))
        return refuse(answer, "the compiled map lacks a function");
    }
    size_ = ask_size(size_of_);
    map_.resize(ask_size(map_size));
    if (map_.empty()) return;
    if (!find(checked, "own_map", make_map_)) return refuse(answer, "the compiled map lacks a function");
    need(cuda_.allocate(&device_map_, map_.size()));
  }
  /// What a driver speaks that is older than the compiler, whose code it refuses.
  std::string driver_words() const {
    int version = 0;
    if (cuda_.driver_version(&version)) return "";
    return "; the driver speaks CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10) +
           ": update it, or name an older toolkit's folder in WARPLOOM_VENDOR_LIBRARIES";
  }
  std::uint64_t ask_size(void* function) {
    std::uint64_t size = 0;
    void* words[]{&scratch_};
    run_one(function, words);
    need(cuda_.to_host(&size, scratch_, sizeof size));
    return size;
  }

  /// Of a rule: the map that its steps are given, as these arguments make it. States do not count.
  void prepare_map(const Arguments& with) {
    if (map_.empty()) return;
    std::vector<std::byte> made(size_);
    std::memcpy(made.data(), &with, size_);
    auto& memory = reinterpret_cast<Arguments*>(made.data())->memory;
    for (const Memory state : {Memory::in, Memory::out}) memory[static_cast<std::size_t>(state)] = nullptr;
    if (made == map_made_of_) return;
    void* words[]{const_cast<Arguments*>(&with), &device_map_};
    run_one(make_map_, words);
    need(cuda_.to_host(map_.data(), device_map_, map_.size()));
    map_made_of_ = std::move(made);
  }

  void ask_launches(const Arguments& with, Answer& answer) override {
    shape_ = {};
    need(cuda_.to_device(scratch_, &shape_, sizeof shape_));
    void* words[]{const_cast<Arguments*>(&with), &scratch_};
    run_one(launches_, words);
    need(cuda_.to_host(&shape_, scratch_, sizeof shape_));
    answer.launches = shape_;
  }

  void ask(const Arguments& with, const Visit& visit, Answer& answer) override {
    Address answered = scratch_ + sizeof(Launches);
    void* words[]{const_cast<Arguments*>(&with), &scratch_, const_cast<Visit*>(&visit), &answered};
    run_one(ask_, words);
    need(cuda_.to_host(&answer.answered, answered, sizeof answer.answered));
  }

  void run(const Order& order, Arguments& with, void* second, Answer& answer) override {
    void* const function = order.job == Job::judge ? judge_ : steps_[order.job == Job::trusted_step];
    if (!function) return refuse(answer, "the compiled map lacks a function");
    prepare_map(with);
    if (order.steps > 1) return run_graph(function, with, order.steps, second, answer);
    std::uint64_t first_visit = 0;
    float all = 0;
    for (int launch = 0; launch < shape_.count; ++launch) {
      if (signals_->cancelled.load(std::memory_order_relaxed)) break;
      all += timed([&] { enqueue(function, with, launch, first_visit); });
      first_visit += volume(shape_.grids[launch]) * static_cast<std::uint64_t>(shape_.turns);
    }
    answer.milliseconds = all;
  }

  /// Several steps as one graph, which is kept: the same states take turns.
  void run_graph(void* function, Arguments& with, std::uint32_t steps, void* second, Answer& answer) {
    std::vector<std::byte> key(size_ + sizeof function + sizeof steps + sizeof second);
    std::byte* to = key.data();
    const auto put = [&](const void* from, std::size_t bytes) {
      std::memcpy(to, from, bytes);
      to += bytes;
    };
    put(&with, size_);
    put(&function, sizeof function);
    put(&steps, sizeof steps);
    put(&second, sizeof second);
    auto graph = std::ranges::find(graphs_, key, &Graph::of);
    if (graph == graphs_.end()) {
      constexpr std::size_t most_graphs = 8;
      if (graphs_.size() == most_graphs) {
        for (const Graph& one : graphs_) need(cuda_.graph_end(one.ready));
        graphs_.clear();
      }
      void *captured = nullptr, *ready = nullptr;
      need(cuda_.capture_begin(stream_, 0));
      for (std::uint32_t i = 0; i < steps; ++i) {
        if (i) go_on(with, second);
        for (int launch = 0; launch < shape_.count; ++launch) enqueue(function, with, launch, 0);
      }
      need(cuda_.capture_end(stream_, &captured));
      need(cuda_.graph_make(&ready, captured, 0));
      need(cuda_.capture_free(captured));
      graph = graphs_.insert(graphs_.end(), {std::move(key), ready});
    }
    answer.milliseconds = timed([&] { need(cuda_.graph_launch(graph->ready, stream_)); });
  }

  /// Milliseconds that the device took for what `body` enqueues, which is waited for.
  template <class Body>
  float timed(Body&& body) {
    need(cuda_.event_record(begin_, stream_));
    body();
    need(cuda_.event_record(end_, stream_));
    need(cuda_.synchronize());
    signals_->beats.fetch_add(1, std::memory_order_relaxed);
    float milliseconds = 0;
    need(cuda_.event_elapsed(&milliseconds, begin_, end_));
    return milliseconds;
  }

  void enqueue(void* function, const Arguments& with, int launch, std::uint64_t first_visit) {
    const Index3 blocks = shape_.grids[launch], threads = shape_.threads;
    DeviceLaunch at{std::bit_cast<const Launches*>(scratch_), launch, shape_.turns, first_visit, blocks, false};
    Index3 grid = blocks;
    constexpr std::uint64_t row = 1u << 20, most_rows = 65535;
    if (blocks.y > most_rows || blocks.z > most_rows) {
      const std::uint64_t rows = (volume(blocks) + row - 1) / row;
      if (rows > most_rows) fall("launch:a grid that the device has no room for");
      grid = {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(rows), 1};
      at.folded = true;
    }
    if (threads.z > 64) fall("launch:blocks of more than 64 threads along z, which a device has no room for");
    void* words[]{const_cast<Arguments*>(&with), map_.empty() ? static_cast<void*>(&at) : map_.data(), &at};
    need(cuda_.launch(function, grid.x, grid.y, grid.z, threads.x, threads.y, threads.z, 0, stream_, words, nullptr));
  }

  bool find(void* module, const char* name, void*& to) const { return cuda_.module_function(&to, module, name) == 0; }
  void run_one(void* function, void** words) {
    need(cuda_.launch(function, 1, 1, 1, 1, 1, 1, 0, nullptr, words, nullptr));
    need(cuda_.synchronize());
  }
  std::string text_of(int error) const {
    const char* text = nullptr;
    return cuda_.error_text && cuda_.error_text(error, &text) == 0 && text ? "CUDA: " + std::string(text)
                                                                           : "CUDA error " + std::to_string(error);
  }
  /// After an error of a kernel nothing more runs in this process: it says why, and ends.
  void need(int error) {
    if (error == 0) return;
    constexpr int illegal_address = 700, out_of_resources = 701, misaligned_address = 716, invalid_address = 717;
    const char* kind = error == illegal_address || error == misaligned_address || error == invalid_address ? "address"
                       : error == out_of_resources                                                         ? "launch"
                                                   : "undefined";
    fall(std::string(kind) + ":" + text_of(error));
  }
  [[noreturn]] void fall(const std::string& what) {
    std::snprintf(signals_->what, sizeof signals_->what, "%s", what.c_str());
    signals_->fallen = 2;
    _exit(1);
  }

  int device_;
  SharedLibrary library_;
  std::string unready_;  ///< why no map can be loaded; empty: one can
  Driver cuda_;
  void* stream_ = nullptr;
  void *begin_ = nullptr, *end_ = nullptr;  ///< events
  struct Graph {
    std::vector<std::byte> of;  ///< the arguments of its first step, and what else it is of
    void* ready;
  };
  std::vector<Graph> graphs_;
  Address scratch_ = 0;  ///< of Launches and Answered
  Address device_map_ = 0;
  void* make_map_ = nullptr;
  std::vector<std::byte> map_, map_made_of_;  ///< of a rule; empty: none. The arguments that it was made of
  void *size_of_ = nullptr, *launches_ = nullptr, *ask_ = nullptr, *judge_ = nullptr;
  void* steps_[2] = {};  ///< checked, trusted
};

}  // namespace

std::unique_ptr<Host> device_host(int device) { return std::make_unique<DeviceHost>(device); }

}  // namespace warploom::own
