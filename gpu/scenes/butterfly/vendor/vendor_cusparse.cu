// Tridiagonal systems by cuSPARSE, where a user has it: opened when the program runs, never linked.
#include "gpu/scenes/butterfly/vendor/vendor.h"

#if defined(__CUDACC__) && __has_include(<cusparse.h>)
#include <cusparse.h>

#include "gpu/core/error.h"
#include "gpu/core/launch.h"
#include "gpu/core/stopwatch.h"
#include "gpu/scenes/butterfly/rules/systems.h"
#include "gpu/scenes/butterfly/vendor/shared_library.h"
#define WARPLOOM_HAS_CUSPARSE 1
#else
#define WARPLOOM_HAS_CUSPARSE 0
#endif

namespace warploom {

namespace {

#if WARPLOOM_HAS_CUSPARSE
constexpr const char* cusparse_file = "libcusparse.so." WARPLOOM_TEXT(CUSPARSE_VER_MAJOR);

/// Its functions, by the types of the header that was built against.
struct Cusparse {
  decltype(&cusparseCreate) create = nullptr;
  decltype(&cusparseDestroy) destroy = nullptr;
  decltype(&cusparseSetStream) stream = nullptr;
  decltype(&cusparseSgtsv2StridedBatch_bufferSizeExt) rows_bytes = nullptr;
  decltype(&cusparseSgtsv2StridedBatch) rows = nullptr;
  decltype(&cusparseSgtsvInterleavedBatch_bufferSizeExt) interleaved_bytes = nullptr;
  decltype(&cusparseSgtsvInterleavedBatch) interleaved = nullptr;

  bool load() {
    const SharedLibrary library(cusparse_file);
    return library.find("cusparseCreate", create) && library.find("cusparseDestroy", destroy) &&
           library.find("cusparseSetStream", stream) &&
           library.find("cusparseSgtsv2StridedBatch_bufferSizeExt", rows_bytes) &&
           library.find("cusparseSgtsv2StridedBatch", rows) &&
           library.find("cusparseSgtsvInterleavedBatch_bufferSizeExt", interleaved_bytes) &&
           library.find("cusparseSgtsvInterleavedBatch", interleaved);
  }
};

void check(cusparseStatus_t status, const char* what) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  const std::string said =
      std::string("cuSPARSE: ") + what + " failed with " + std::to_string(static_cast<int>(status));
  if (status == CUSPARSE_STATUS_ALLOC_FAILED || status == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES)
    throw MemoryError(said + ": no memory for it");
  throw Error(said);
}

/// Where rows of many systems lie: system after system, or row after row of all.
struct SystemOrder {
  int n;
  std::uint64_t batch, rows;  ///< rows of a system as it is solved: at least 4, those past 2^n say x = 0
  bool interleaved;
  WARPLOOM_HD std::uint64_t at(std::uint64_t system, std::uint64_t row, std::uint64_t of) const {
    return interleaved ? row * batch + system : system * of + row;
  }
};

/// Equations into arrays of their four numbers.
struct SplitEquations {
  SystemProblems problems;
  SystemOrder order;
  float *below, *diagonal, *above, *right;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, order.batch * order.rows, [&](std::uint64_t i) {
      const std::uint64_t system = order.interleaved ? i % order.batch : i / order.rows,
                          row = order.interleaved ? i / order.batch : i % order.rows,
                          elements = std::uint64_t{1} << order.n;
      SystemRow made{0, 1, 0, 0};
      if (row < elements) {
        const auto* from = reinterpret_cast<const float*>(problems.in + order.at(system, row, elements));
        made = {row == 0 ? 0 : from[0], from[1], row + 1 == elements ? 0 : from[2], from[3]};
        if (!is_finite(made)) atomic_minimum(problems.singular + system, input_is_no_number);
      }
      below[i] = made.a;
      diagonal[i] = made.b;
      above[i] = made.c;
      right[i] = made.d;
    });
  }
};

/// Unknowns to where they belong; one that is no number is a row that was divided by 0.
struct TakeUnknowns {
  SystemProblems problems;
  SystemOrder order;
  const float* solved;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, order.batch << order.n, [&](std::uint64_t i) {
      const std::uint64_t elements = std::uint64_t{1} << order.n,
                          system = order.interleaved ? i % order.batch : i >> order.n,
                          row = order.interleaved ? i / order.batch : i & (elements - 1);
      const float x = solved[order.at(system, row, order.rows)];
      if (!is_finite(x)) atomic_minimum(problems.singular + system, std::uint64_t{1} << 32 | row);
      problems.out[i] = x;
    });
  }
};

class CusparseSystems final : public VendorTransform {
 public:
  CusparseSystems(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : VendorTransform(settings),
        cusparse_(*loaded_once<Cusparse>()),
        order_{settings.n, settings.batch, std::max<std::uint64_t>(4, std::uint64_t{1} << settings.n),
               variant.interleaved} {
    const Backend backend = queue.backend();
    for (auto& one : numbers_) one = Buffer<float>(backend, order_.batch * order_.rows);
    check(cusparse_.create(&handle_), "its start");
    try {
      std::size_t bytes = 0;
      check(order_.interleaved
                ? cusparse_.interleaved_bytes(handle_, algorithm, rows(), numbers_[0].data(), numbers_[1].data(),
                                              numbers_[2].data(), numbers_[3].data(), batch(), &bytes)
                : cusparse_.rows_bytes(handle_, rows(), numbers_[0].data(), numbers_[1].data(), numbers_[2].data(),
                                       numbers_[3].data(), batch(), rows(), &bytes),
            "asking for its workspace");
      workspace_ = Buffer<std::uint8_t>(backend, std::max<std::size_t>(1, bytes));
    } catch (...) {
      cusparse_.destroy(handle_);
      throw;
    }
  }
  ~CusparseSystems() override { cusparse_.destroy(handle_); }
  CusparseSystems(const CusparseSystems&) = delete;
  CusparseSystems& operator=(const CusparseSystems&) = delete;

  /// It works in arrays of its own, which are made before, and untimed: its callers have them.
  void run(Queue& queue, const void* in, void* out, std::uint64_t* singular) override {
    const SystemProblems problems{static_cast<const SystemRow*>(in), static_cast<float*>(out), singular};
    check(cusparse_.stream(handle_, static_cast<cudaStream_t>(queue.stream())), "choosing a stream");
    launch("butterfly.split", queue, row_shape(order_.batch * order_.rows),
           SplitEquations{problems, order_, numbers_[0].data(), numbers_[1].data(), numbers_[2].data(),
                          numbers_[3].data()});
    TimedSpan span(queue, kernel_, bytes_moved_);
    check(order_.interleaved
              ? cusparse_.interleaved(handle_, algorithm, rows(), numbers_[0].data(), numbers_[1].data(),
                                      numbers_[2].data(), numbers_[3].data(), batch(), workspace_.data())
              : cusparse_.rows(handle_, rows(), numbers_[0].data(), numbers_[1].data(), numbers_[2].data(),
                               numbers_[3].data(), batch(), rows(), workspace_.data()),
          "a solution");
    span.finish();
    launch("butterfly.split", queue, row_shape(order_.batch << order_.n),
           TakeUnknowns{problems, order_, numbers_[3].data()});
  }
  std::uint64_t bytes() const override {
    std::uint64_t all = workspace_.bytes();
    for (const auto& one : numbers_) all += one.bytes();
    return all;
  }

 private:
  /// Thomas without pivoting, as ours; 1 pivots, 2 is an orthogonal factorisation.
  static constexpr int algorithm = 0;
  int rows() const { return static_cast<int>(order_.rows); }
  int batch() const { return static_cast<int>(order_.batch); }

  const Cusparse& cusparse_;
  SystemOrder order_;
  Buffer<float> numbers_[4];  ///< a, b, c, d, which becomes x
  Buffer<std::uint8_t> workspace_;
  cusparseHandle_t handle_ = nullptr;
};

bool has_cusparse() { return loaded_once<Cusparse>() != nullptr; }
std::unique_ptr<Transform> make_cusparse(Queue& queue, const ButterflySettings& settings,
                                         const ButterflyVariant& variant) {
  return std::make_unique<CusparseSystems>(queue, settings, variant);
}
constexpr const char* cusparse_remedy =
    "install the CUDA toolkit's cuSPARSE, or name its folder in WARPLOOM_VENDOR_LIBRARIES";
#else
constexpr const char* cusparse_file = "libcusparse.so";
bool has_cusparse() { return false; }
constexpr std::unique_ptr<Transform> (*make_cusparse)(Queue&, const ButterflySettings&,
                                                      const ButterflyVariant&) = nullptr;
constexpr const char* cusparse_remedy = "this build knows none; build where cusparse.h is";
#endif

}  // namespace

Vendor cusparse_vendor() {
  return {"cuSPARSE",    cusparse_file,   "tridiagonal on CUDA", cusparse_remedy,
          Backend::cuda, {"tridiagonal"}, has_cusparse,          make_cusparse};
}

}  // namespace warploom
