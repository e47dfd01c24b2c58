// Stands in for FFTW in single precision: it transforms nothing, and tells when two threads use its planner at once.
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int users, clashes;

static void use_planner(void) {
  if (atomic_fetch_add(&users, 1) > 0) atomic_fetch_add(&clashes, 1);
  usleep(200);
  atomic_fetch_sub(&users, 1);
}
static void* planned(void) {
  use_planner();
  return malloc(1);
}

int fake_fftw_clashes(void) { return atomic_load(&clashes); }
void* fftwf_plan_dft_1d(int n, void* in, void* out, int sign, unsigned flags) { return planned(); }
void* fftwf_plan_dft_r2c_1d(int n, void* in, void* out, unsigned flags) { return planned(); }
void* fftwf_plan_dft_c2r_1d(int n, void* in, void* out, unsigned flags) { return planned(); }
void* fftwf_plan_r2r_1d(int n, void* in, void* out, int kind, unsigned flags) { return planned(); }
void fftwf_execute_dft(void* plan, void* in, void* out) {}
void fftwf_execute_dft_r2c(void* plan, void* in, void* out) {}
void fftwf_execute_dft_c2r(void* plan, void* in, void* out) {}
void fftwf_execute_r2r(void* plan, void* in, void* out) {}
void fftwf_destroy_plan(void* plan) {
  use_planner();
  free(plan);
}
