#pragma once
#include "gpu/scenes/butterfly/butterfly.h"

namespace warploom {

/// FFTW in single precision, where a user has it: never linked, its licence is another. Prototypes are ours, by its
/// manual.
class Fftw {
 public:
  static constexpr const char* file = "libfftw3f.so.3";
  /// A plan of one row, for rows at any address. Plans are made and destroyed one at a time, whatever thread calls.
  void* plan(const ButterflySettings& settings) const;
  void destroy(void* plan) const;
  /// Any number of threads at once. `in` may be overwritten where it is a spectrum of real rows.
  void run(const ButterflySettings& settings, void* plan, void* in, void* out) const;

  /// For loaded_once (shared_library.h), by which it is had.
  bool load();

 private:
  void* (*plan_dft_)(int n, void* in, void* out, int sign, unsigned flags) = nullptr;
  void* (*plan_r2c_)(int n, void* in, void* out, unsigned flags) = nullptr;
  void* (*plan_c2r_)(int n, void* in, void* out, unsigned flags) = nullptr;
  void* (*plan_r2r_)(int n, void* in, void* out, int kind, unsigned flags) = nullptr;
  void (*run_dft_)(void* plan, void* in, void* out) = nullptr;
  void (*run_r2c_)(void* plan, void* in, void* out) = nullptr;
  void (*run_c2r_)(void* plan, void* in, void* out) = nullptr;
  void (*run_r2r_)(void* plan, void* in, void* out) = nullptr;
  void (*destroy_)(void* plan) = nullptr;
};

}  // namespace warploom
