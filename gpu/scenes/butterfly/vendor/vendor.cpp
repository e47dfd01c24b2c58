// Whom tracks `vendor` belong to.
#include "gpu/scenes/butterfly/vendor/vendor.h"

#include <algorithm>
#include <cstring>

#include "gpu/core/error.h"

namespace warploom {

namespace {

const std::vector<Vendor>& vendors() {
  static const std::vector<Vendor> all{
      standard_library_vendor(), fftw_vendor(), cufft_vendor(), cub_vendor(), cusparse_vendor(),
  };
  return all;
}

const Vendor* vendor_of(Backend backend, const std::string& algorithm) {
  for (const Vendor& vendor : vendors())
    if (vendor.backend == backend)
      for (const char* served : vendor.algorithms)
        if (algorithm == served) return &vendor;
  return nullptr;
}

}  // namespace

std::vector<VendorLibrary> vendor_libraries() {
  std::vector<VendorLibrary> all;
  for (const Vendor& vendor : vendors())
    if (*vendor.file) all.push_back({vendor.name, vendor.file, vendor.serves, vendor.there(), vendor.remedy});
  return all;
}

std::string vendor_missing(Backend backend, const std::string& algorithm) {
  const Vendor* vendor = vendor_of(backend, algorithm);
  if (!vendor)
    return std::string("there is no vendor's ") + algorithm + (backend == Backend::cuda ? " on CUDA" : " on the CPU") +
           "; choose " + (algorithm == "tridiagonal" ? "thomas" : "radix8");
  if (!vendor->there()) return std::string(vendor->file) + " is not there: " + vendor->remedy;
  return {};
}

std::unique_ptr<Transform> make_vendor_transform(Queue& queue, const ButterflySettings& settings,
                                                 const ButterflyVariant& variant) {
  if (const std::string why = vendor_missing(queue.backend(), settings.algorithm); !why.empty())
    throw UsageError("track vendor: " + why);
  return vendor_of(queue.backend(), settings.algorithm)->make(queue, settings, variant);
}

}  // namespace warploom
