// Transforms by cuFFT, where a user has it: opened when the program runs, never linked.
#include "gpu/scenes/butterfly/vendor/vendor.h"

#if defined(__CUDACC__) && __has_include(<cufft.h>)
#include <cufft.h>

#include "gpu/core/error.h"
#include "gpu/core/launch.h"
#include "gpu/core/stopwatch.h"
#include "gpu/core/shared_library.h"
#define WARPLOOM_HAS_CUFFT 1
#else
#define WARPLOOM_HAS_CUFFT 0
#endif

namespace warploom {

namespace {

#if WARPLOOM_HAS_CUFFT
constexpr const char* cufft_file = "libcufft.so." WARPLOOM_TEXT(CUFFT_VER_MAJOR);

/// Its functions, by the types of the header that was built against.
struct Cufft {
  decltype(&cufftCreate) create = nullptr;
  decltype(&cufftDestroy) destroy = nullptr;
  decltype(&cufftMakePlanMany64) plan = nullptr;
  decltype(&cufftSetStream) stream = nullptr;
  decltype(&cufftExecC2C) complex_to_complex = nullptr;
  decltype(&cufftExecR2C) real_to_complex = nullptr;
  decltype(&cufftExecC2R) complex_to_real = nullptr;

  bool load() {
    const SharedLibrary library(cufft_file);
    return library.find("cufftCreate", create) && library.find("cufftDestroy", destroy) &&
           library.find("cufftMakePlanMany64", plan) && library.find("cufftSetStream", stream) &&
           library.find("cufftExecC2C", complex_to_complex) && library.find("cufftExecR2C", real_to_complex) &&
           library.find("cufftExecC2R", complex_to_real);
  }
};

void check(cufftResult result, const char* what) {
  if (result == CUFFT_SUCCESS) return;
  const std::string said = std::string("cuFFT: ") + what + " failed with " + std::to_string(static_cast<int>(result));
  if (result == CUFFT_ALLOC_FAILED) throw MemoryError(said + ": no memory for its plan");
  throw Error(said);
}

/// The inverse is scaled by 1 / N.
struct ScaleRows {
  float* values;
  std::uint64_t count;
  float by;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t i) { values[i] *= by; });
  }
};

class CufftRows final : public VendorTransform {
 public:
  CufftRows(Queue& queue, const ButterflySettings& settings, const ButterflyVariant&)
      : VendorTransform(settings),
        cufft_(*loaded_once<Cufft>()),
        is_real_(settings.algorithm == "real_fft"),
        floats_out_(settings.batch * output_shape(settings).row_bytes() / sizeof(float)) {
    check(cufft_.create(&plan_), "creating a plan");
    long long n = 1ll << settings.n;
    std::size_t workspace = 0;
    const cufftType type = !is_real_ ? CUFFT_C2C : settings.inverse ? CUFFT_C2R : CUFFT_R2C;
    try {
      check(cufft_.plan(plan_, 1, &n, nullptr, 1, 0, nullptr, 1, 0, type, static_cast<long long>(settings.batch),
                        &workspace),
            "making a plan");
      // What goes back to real rows works in what it is given.
      if (type == CUFFT_C2R)
        spoilt_ = Buffer<std::uint8_t>(queue.backend(), settings.batch * input_shape(settings).row_bytes());
    } catch (...) {
      cufft_.destroy(plan_);
      throw;
    }
    bytes_ = workspace + spoilt_.bytes();
  }
  ~CufftRows() override { cufft_.destroy(plan_); }
  CufftRows(const CufftRows&) = delete;
  CufftRows& operator=(const CufftRows&) = delete;

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    check(cufft_.stream(plan_, static_cast<cudaStream_t>(queue.stream())), "choosing a stream");
    if (spoilt_.size() != 0) {
      copy_bytes(queue, spoilt_.data(), in, spoilt_.size());
      in = spoilt_.data();
    }
    TimedSpan span(queue, kernel_, bytes_moved_);
    auto* complex_in = static_cast<cufftComplex*>(const_cast<void*>(in));
    auto* complex_out = static_cast<cufftComplex*>(out);
    check(!is_real_           ? cufft_.complex_to_complex(plan_, complex_in, complex_out,
                                                settings_.inverse ? CUFFT_INVERSE : CUFFT_FORWARD)
          : settings_.inverse ? cufft_.complex_to_real(plan_, complex_in, static_cast<float*>(out))
                              : cufft_.real_to_complex(plan_, static_cast<float*>(const_cast<void*>(in)), complex_out),
          "a transform");
    span.finish();
    if (settings_.inverse)
      launch("butterfly.scale", queue, row_shape(floats_out_),
             ScaleRows{static_cast<float*>(out), floats_out_, 1.f / static_cast<float>(1u << settings_.n)});
  }
  std::uint64_t bytes() const override { return bytes_; }

 private:
  const Cufft& cufft_;
  bool is_real_;
  std::uint64_t floats_out_, bytes_ = 0;
  cufftHandle plan_ = 0;
  Buffer<std::uint8_t> spoilt_;
};
#endif

}  // namespace

Vendor cufft_vendor() {
  Vendor vendor{
      "cuFFT",       "libcufft.so",      "fft and real_fft on CUDA", "this build knows none; build where cufft.h is",
      Backend::cuda, {"fft", "real_fft"}};
#if WARPLOOM_HAS_CUFFT
  vendor.file = cufft_file;
  vendor.remedy = "install the CUDA toolkit's cuFFT, or name its folder in WARPLOOM_VENDOR_LIBRARIES";
  vendor.there = is_loaded<Cufft>;
  vendor.make = make_rows<CufftRows>;
#endif
  return vendor;
}

}  // namespace warploom
