#pragma once
#include <string>

namespace warploom {

/// A vendor's library, opened when the program runs: from the folders of WARPLOOM_VENDOR_LIBRARIES,
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

/// What such a library is good for: nothing needs one.
struct VendorLibrary {
  const char* name;    ///< "FFTW"
  const char* file;    ///< as the loader knows it
  const char* serves;  ///< which algorithms, on what
  bool there;
  const char* remedy;  ///< where it is not there
};

/// The functions of a library: `load` finds them once, when they are asked for first. Null: it is not there, or lacks
/// one. They stay for the life of the program: threads may still use them when it ends.
template <class Functions>
const Functions* loaded_once() {
  static const Functions* const found = [] {
    auto* all = new Functions;
    return all->load() ? all : (delete all, nullptr);
  }();
  return found;
}
template <class Functions>
bool is_loaded() {
  return loaded_once<Functions>() != nullptr;
}

/// What a macro stands for, as text: a header's version in the name of its library.
#define WARPLOOM_TEXT_(x) #x
#define WARPLOOM_TEXT(x) WARPLOOM_TEXT_(x)

}  // namespace warploom
