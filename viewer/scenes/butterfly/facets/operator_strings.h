#pragma once
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// A scene whose tracks move the digits of an index by operators, and that reads a string of them.
class OperatorStrings {
 public:
  struct Read {
    std::vector<int> digits;  ///< what stands in places n to 1 after all of them
    bool is_fft = false;
    std::string mistake;  ///< empty: there is none
    int character = 0;    ///< where the mistake is, from 1
  };
  /// The one that is set.
  virtual const std::string& operators() const = 0;
  /// Nullopt: there are no such strings now.
  virtual std::optional<Read> read_operators(const std::string& text) const = 0;

 protected:
  ~OperatorStrings() = default;
};

}  // namespace warploom
