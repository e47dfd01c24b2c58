#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "gpu/core/shared_library.h"
#include "gpu/scenes/butterfly/vendor/fftw.h"

namespace warploom {
namespace {

/// FFTW's planner is no thread's own: the picture worker may destroy the last plan while the runner makes the next.
TEST(Fftw, PlansAreMadeAndDestroyedOneAtATime) {
  setenv("WARPLOOM_VENDOR_LIBRARIES", FAKE_FFTW_FOLDER, 1);
  Fftw fftw;
  ASSERT_TRUE(fftw.load());
  ButterflySettings settings;
  settings.algorithm = "fft";
  const auto plans = [&] {
    for (int i = 0; i < 100; ++i) fftw.destroy(fftw.plan(settings));
  };
  std::thread other(plans);
  plans();
  other.join();
  int (*clashes)() = nullptr;
  ASSERT_TRUE(SharedLibrary(Fftw::file).find("fake_fftw_clashes", clashes)) << "not the library that tells";
  EXPECT_EQ(clashes(), 0);
}

}  // namespace
}  // namespace warploom
