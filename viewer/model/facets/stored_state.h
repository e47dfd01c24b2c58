#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace warploom {

/// A scene that can start from a state given as bytes, in place of a file: a captured PNG's.
class StoredState {
 public:
  /// The file that a start state came from is not read: the state itself follows.
  virtual void forget_file() = 0;
  /// `step` is the step that it is the state of, `history` how it came about ("painted at step 3"). Throws FileError
  /// where it belongs to another domain.
  virtual void set_state(std::vector<std::uint8_t> cells, std::uint32_t width, std::uint32_t height, std::uint64_t step,
                         std::string history) = 0;
  /// The loaded start state over the whole box; null: none was given.
  virtual const std::vector<std::uint8_t>* start_state() const = 0;

 protected:
  ~StoredState() = default;
};

}  // namespace warploom
