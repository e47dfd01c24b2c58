// Scans and sorts by CUB, which is headers: it is part of the program where that has CUDA.
#include "gpu/scenes/butterfly/vendor/vendor.h"

#ifdef __CUDACC__
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "gpu/core/cuda_check.h"
#include "gpu/core/launch.h"
#include "gpu/core/stopwatch.h"
#include "gpu/scenes/butterfly/tracks/operators.h"
#include "gpu/scenes/butterfly/tracks/programs.h"
#endif

namespace warploom {

namespace {

#ifdef __CUDACC__
/// A call of CUB, first for the size of its workspace, then with it.
class CubRows : public VendorTransform {
 public:
  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    TimedSpan span(queue, kernel_, bytes_moved_);
    transform(queue, in, out);
    span.finish();
  }
  std::uint64_t bytes() const override { return workspace_.bytes(); }

 protected:
  explicit CubRows(const ButterflySettings& settings)
      : VendorTransform(settings), count_(settings.batch << settings.n) {}
  virtual void transform(Queue& queue, const void* in, void* out) = 0;
  static cudaStream_t stream(Queue& queue) { return static_cast<cudaStream_t>(queue.stream()); }

  std::uint64_t count_;
  Buffer<std::uint8_t> workspace_;
};

struct FirstOfRow {
  int n;
  __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row << n; }
};

class CubSort final : public CubRows {
 public:
  CubSort(Queue& queue, const ButterflySettings& settings) : CubRows(settings) {
    std::size_t bytes = 0;
    call(queue, nullptr, bytes, nullptr, nullptr);
    workspace_ = Buffer<std::uint8_t>(queue.backend(), std::max<std::size_t>(1, bytes));
  }

 private:
  void transform(Queue& queue, const void* in, void* out) override {
    std::size_t bytes = workspace_.size();
    call(queue, workspace_.data(), bytes, static_cast<const std::uint32_t*>(in), static_cast<std::uint32_t*>(out));
  }
  void call(Queue& queue, void* workspace, std::size_t& bytes, const std::uint32_t* in, std::uint32_t* out) const {
    const auto items = static_cast<std::int64_t>(count_);
    if (settings_.batch == 1) {
      WARPLOOM_CUDA(cub::DeviceRadixSort::SortKeys(workspace, bytes, in, out, items, 0, 32, stream(queue)));
      return;
    }
    const auto first =
        thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), FirstOfRow{settings_.n});
    WARPLOOM_CUDA(cub::DeviceSegmentedSort::SortKeys(
        workspace, bytes, in, out, items, static_cast<std::int64_t>(settings_.batch), first, first + 1, stream(queue)));
  }
};

/// Rows of a power of two elements, or of any number.
struct RowOf {
  int n;
  std::uint64_t elements;
  __host__ __device__ std::uint32_t operator()(std::uint64_t i) const {
    return static_cast<std::uint32_t>(n >= 0 ? i >> n : i / elements);
  }
};

template <class Operator>
struct Join {
  Operator op;
  __host__ __device__ typename Operator::Value operator()(const typename Operator::Value& left,
                                                          const typename Operator::Value& right) const {
    return op.combine(left, right);
  }
};

template <class Operator>
class CubScan final : public CubRows {
  using Value = typename Operator::Value;

 public:
  CubScan(Queue& queue, const ButterflySettings& settings, Operator op) : CubRows(settings), op_(op) {
    std::size_t rows = 0, columns = 0;
    call(queue, nullptr, rows, nullptr, nullptr, RowOf{settings.n, 0});
    if (settings.axes == 2) {
      call(queue, nullptr, columns, nullptr, nullptr, RowOf{-1, settings.batch});
      turned_ = Buffer<Value>(queue.backend(), count_);
      scanned_ = Buffer<Value>(queue.backend(), count_);
    }
    workspace_ = Buffer<std::uint8_t>(queue.backend(), std::max({rows, columns, std::size_t{1}}));
  }
  std::uint64_t bytes() const override { return workspace_.bytes() + turned_.bytes() + scanned_.bytes(); }

 private:
  void transform(Queue& queue, const void* in, void* out) override {
    std::size_t bytes = workspace_.size();
    auto* rows = static_cast<Value*>(out);
    call(queue, workspace_.data(), bytes, static_cast<const Value*>(in), rows, RowOf{settings_.n, 0});
    if (settings_.axes == 1) return;
    const std::uint64_t elements = std::uint64_t{1} << settings_.n;
    turn(queue, rows, turned_.data(), settings_.batch, elements);
    bytes = workspace_.size();
    call(queue, workspace_.data(), bytes, turned_.data(), scanned_.data(), RowOf{-1, settings_.batch});
    turn(queue, scanned_.data(), rows, elements, settings_.batch);
  }
  void turn(Queue& queue, const Value* from, Value* to, std::uint64_t rows, std::uint64_t columns) const {
    launch(kernel_, queue, row_shape(count_),
           TransposeRows{reinterpret_cast<const std::uint32_t*>(from), reinterpret_cast<std::uint32_t*>(to), rows,
                         columns, sizeof(Value) / 4});
  }
  void call(Queue& queue, void* workspace, std::size_t& bytes, const Value* in, Value* out, const RowOf& row) const {
    const auto items = static_cast<std::int64_t>(count_);
    const Join<Operator> join{op_};
    if (settings_.axes == 1 && settings_.batch == 1) {
      WARPLOOM_CUDA(
          settings_.exclusive
              ? cub::DeviceScan::ExclusiveScan(workspace, bytes, in, out, join, op_.identity(), items, stream(queue))
              : cub::DeviceScan::InclusiveScan(workspace, bytes, in, out, join, items, stream(queue)));
      return;
    }
    const auto keys = thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), row);
    WARPLOOM_CUDA(settings_.exclusive
                      ? cub::DeviceScan::ExclusiveScanByKey(workspace, bytes, keys, in, out, join, op_.identity(),
                                                            items, ::cuda::std::equal_to<>{}, stream(queue))
                      : cub::DeviceScan::InclusiveScanByKey(workspace, bytes, keys, in, out, join, items,
                                                            ::cuda::std::equal_to<>{}, stream(queue)));
  }

  Operator op_;
  Buffer<Value> turned_, scanned_;
};

std::unique_ptr<Transform> make_cub(Queue& queue, const ButterflySettings& settings, const ButterflyVariant&) {
  if (settings.algorithm == "sort") return std::make_unique<CubSort>(queue, settings);
  return with_scan_operator(settings, [&](auto op) -> std::unique_ptr<Transform> {
    return std::make_unique<CubScan<decltype(op)>>(queue, settings, op);
  });
}
#endif

}  // namespace

Vendor cub_vendor() {
  Vendor vendor{"CUB", "", "scan and sort on CUDA", "this build has no CUDA", Backend::cuda, {"scan", "sort"}};
#ifdef __CUDACC__
  vendor.there = [] { return true; };
  vendor.make = make_cub;
#endif
  return vendor;
}

}  // namespace warploom
