#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/scenes/butterfly/tracks/transform.h"

namespace warploom {

/// What transforms of others have in common: nothing is known of them but what they make.
class VendorTransform : public Transform {
 public:
  using Transform::Transform;
  LaunchShape shape() const override { return {}; }
  NetworkReport report() const override { return {}; }
  RowShape step_shape() const override { return {}; }
};

/// Who serves tracks `vendor`. A new one is a file, and a line of the list in vendor.cpp.
struct Vendor {
  const char* name;    ///< "FFTW"
  const char* file;    ///< as the loader knows it; empty: it is part of the program
  const char* serves;  ///< which algorithms, on what
  const char* remedy;  ///< where it is not there
  Backend backend;
  std::vector<const char*> algorithms;
  bool (*there)() = [] { return false; };
  /// Plans and workspaces are made here, and never timed. Throws UsageError where there is no memory for them.
  std::unique_ptr<Transform> (*make)(Queue& queue, const ButterflySettings& settings,
                                     const ButterflyVariant& variant) = nullptr;
};
/// Vendor::make of a class that makes them when it is constructed.
template <class Rows>
std::unique_ptr<Transform> make_rows(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant) {
  return std::make_unique<Rows>(queue, settings, variant);
}

Vendor standard_library_vendor();
Vendor fftw_vendor();
Vendor cufft_vendor();
Vendor cub_vendor();
Vendor cusparse_vendor();

/// Throws UsageError where it is missing.
std::unique_ptr<Transform> make_vendor_transform(Queue& queue, const ButterflySettings& settings,
                                                 const ButterflyVariant& variant);

}  // namespace warploom
