// Tridiagonal systems by cuSPARSE, where a user has it: opened when the program runs, never linked.
#include "gpu/scenes/butterfly/vendor/vendor.h"

#if defined(__CUDACC__) && __has_include(<cusparse.h>)
#include <cusparse.h>

#include "gpu/core/error.h"
#include "gpu/core/launch.h"
#include "gpu/core/stopwatch.h"
#include "gpu/scenes/butterfly/rules/systems.h"
#include "gpu/core/shared_library.h"
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

/// Equations into arrays of their four numbers.
struct SplitEquations {
  SystemProblems problems;
  SystemOrder order, padded;  ///< as they lie, and as they are solved
  float *below, *diagonal, *above, *right;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, padded.rows(), [&](std::uint64_t i) {
      const std::uint64_t system = padded.problem(i), row = padded.row(i), elements = std::uint64_t{1} << order.n;
      SystemRow made{0, 1, 0, 0};
      if (row < elements) {
        const auto* from = reinterpret_cast<const float*>(problems.in + order.at(system, row));
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
  SystemOrder order, padded;  ///< as of SplitEquations
  const float* solved;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, order.rows(), [&](std::uint64_t i) {
      const std::uint64_t system = order.problem(i), row = order.row(i);
      const float x = solved[padded.at(system, row)];
      if (!is_finite(x)) atomic_minimum(problems.singular + system, std::uint64_t{1} << 32 | row);
      problems.out[i] = x;
    });
  }
};

class CusparseSystems final : public VendorTransform {
  /// call(a, b, c, d): the arrays of the four numbers.
  template <class Call>
  auto with_numbers(Call&& call) const {
    return call(numbers_[0].data(), numbers_[1].data(), numbers_[2].data(), numbers_[3].data());
  }

 public:
  CusparseSystems(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : VendorTransform(settings),
        cusparse_(*loaded_once<Cusparse>()),
        order_{settings.n, batch_, variant.interleaved},
        padded_{std::max(2, settings.n), batch_, variant.interleaved} {
    const Backend backend = queue.backend();
    for (auto& one : numbers_) one = Buffer<float>(backend, padded_.rows());
    check(cusparse_.create(&handle_), "its start");
    try {
      std::size_t bytes = 0;
      check(with_numbers([&](auto*... at) {
              return order_.interleaved
                         ? cusparse_.interleaved_bytes(handle_, algorithm, rows(), at..., batch(), &bytes)
                         : cusparse_.rows_bytes(handle_, rows(), at..., batch(), rows(), &bytes);
            }),
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
    launch("butterfly.split", queue, row_shape(padded_.rows()), with_numbers([&](auto*... at) {
             return SplitEquations{problems, order_, padded_, at...};
           }));
    TimedSpan span(queue, kernel_, bytes_moved_);
    check(with_numbers([&](auto*... at) {
            return order_.interleaved
                       ? cusparse_.interleaved(handle_, algorithm, rows(), at..., batch(), workspace_.data())
                       : cusparse_.rows(handle_, rows(), at..., batch(), rows(), workspace_.data());
          }),
          "a solution");
    span.finish();
    launch("butterfly.split", queue, row_shape(order_.rows()),
           TakeUnknowns{problems, order_, padded_, numbers_[3].data()});
  }
  std::uint64_t bytes() const override {
    std::uint64_t all = workspace_.bytes();
    for (const auto& one : numbers_) all += one.bytes();
    return all;
  }

 private:
  /// Thomas without pivoting, as ours; 1 pivots, 2 is an orthogonal factorisation.
  static constexpr int algorithm = 0;
  int rows() const { return 1 << padded_.n; }
  int batch() const { return static_cast<int>(batch_); }

  const Cusparse& cusparse_;
  SystemOrder order_, padded_;  ///< of a system at least 4 rows are solved: those past 2^n say x = 0
  Buffer<float> numbers_[4];    ///< a, b, c, d, which becomes x
  Buffer<std::uint8_t> workspace_;
  cusparseHandle_t handle_ = nullptr;
};
#endif

}  // namespace

Vendor cusparse_vendor() {
  Vendor vendor{
      "cuSPARSE",    "libcusparse.so", "tridiagonal on CUDA", "this build knows none; build where cusparse.h is",
      Backend::cuda, {"tridiagonal"}};
#if WARPLOOM_HAS_CUSPARSE
  vendor.file = cusparse_file;
  vendor.remedy = "install the CUDA toolkit's cuSPARSE, or name its folder in WARPLOOM_VENDOR_LIBRARIES";
  vendor.there = is_loaded<Cusparse>;
  vendor.make = make_rows<CusparseSystems>;
#endif
  return vendor;
}

}  // namespace warploom
