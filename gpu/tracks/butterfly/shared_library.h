#pragma once
#include <string>

namespace warploom {

/// A library that somebody else wrote, opened when the program runs: from the folders of WARPLOOM_VENDOR_LIBRARIES,
/// from where the loader looks, from a CUDA toolkit's usual places. It stays open for the life of the program.
class SharedLibrary {
 public:
  /// `name`: as the loader knows it, "libcufft.so.12". There or not: never throws for that.
  explicit SharedLibrary(const std::string& name);

  bool there() const { return handle_ != nullptr; }
  /// Finds a function of it; false, and `to` null: it has none of that name.
  template <class Function>
  bool find(const char* name, Function& to) const {
    to = reinterpret_cast<Function>(address_of(name));
    return to != nullptr;
  }

 private:
  void* address_of(const char* name) const;
  void* handle_ = nullptr;
};

}  // namespace warploom
