#include "gpu/scenes/butterfly/vendor/fftw.h"

#include <mutex>
#include <string>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/shared_library.h"

namespace warploom {

namespace {

// Of its header: directions, kinds of real transforms, flags.
constexpr int forward = -1, backward = 1, redft01 = 4, redft10 = 5;
constexpr unsigned unaligned = 1u << 1, estimate = 1u << 6;

/// Only execution is thread-safe in FFTW: making and destroying plans share the planner's tables.
std::mutex planning;

}  // namespace

bool Fftw::load() {
  const SharedLibrary library(file);
  return library.find("fftwf_plan_dft_1d", plan_dft_) && library.find("fftwf_plan_dft_r2c_1d", plan_r2c_) &&
         library.find("fftwf_plan_dft_c2r_1d", plan_c2r_) && library.find("fftwf_plan_r2r_1d", plan_r2r_) &&
         library.find("fftwf_execute_dft", run_dft_) && library.find("fftwf_execute_dft_r2c", run_r2c_) &&
         library.find("fftwf_execute_dft_c2r", run_c2r_) && library.find("fftwf_execute_r2r", run_r2r_) &&
         library.find("fftwf_destroy_plan", destroy_);
}

void* Fftw::plan(const ButterflySettings& settings) const {
  const std::lock_guard one_at_a_time(planning);
  const int n = 1 << settings.n;
  std::vector<float> in(2 * static_cast<std::size_t>(n) + 2), out(in.size());
  constexpr unsigned flags = unaligned | estimate;
  void* made =
      settings.algorithm == "fft"   ? plan_dft_(n, in.data(), out.data(), settings.inverse ? backward : forward, flags)
      : settings.algorithm == "dct" ? plan_r2r_(n, in.data(), out.data(), settings.inverse ? redft01 : redft10, flags)
      : settings.inverse            ? plan_c2r_(n, in.data(), out.data(), flags)
                                    : plan_r2c_(n, in.data(), out.data(), flags);
  if (!made) throw Error("FFTW makes no plan of 2^" + std::to_string(settings.n) + " elements");
  return made;
}

void Fftw::destroy(void* plan) const {
  const std::lock_guard one_at_a_time(planning);
  destroy_(plan);
}

void Fftw::run(const ButterflySettings& settings, void* plan, void* in, void* out) const {
  if (settings.algorithm == "fft") return run_dft_(plan, in, out);
  if (settings.algorithm == "dct") return run_r2r_(plan, in, out);
  settings.inverse ? run_c2r_(plan, in, out) : run_r2c_(plan, in, out);
}

}  // namespace warploom
