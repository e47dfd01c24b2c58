#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/types.h"
#include "gpu/own/sources.h"

namespace warploom {

class Model;

/// What a thread computed on one way through a line.
struct SeenLine {
  int file = 0, line = 0;   ///< its place among the sources; from 1 on
  std::string words;        ///< "= 3", "yes", "(2, 5)"
  int turn = 1, turns = 1;  ///< which way through the line it is, and of how many
};
/// Notes as lines, in the order in which they were run; places have so many dimensions.
std::vector<SeenLine> seen_lines(const SourceValues& values, int dimensions);

/// The sources of the active track, and what the selected thread computes at their lines. The window's thread.
class SourceView {
 public:
  int front = 0;  ///< the file that is shown
  int go_to = 0;  ///< a line of it to bring into view; 0: none

  SourceView() = default;
  ~SourceView() { cancel(); }
  SourceView& operator=(SourceView&&) = delete;  // neither copied nor moved

  const std::vector<SourceFile>& files() const { return files_; }
  /// Brings a file to the front, at the first line of it that the thread ran.
  void show(int file);
  /// The lines that the thread ran, as far as it is stepped through them: of each line the last way through it.
  std::vector<SeenLine> shown(int file) const;
  /// The line that it is stepped to; null: there are no values.
  const SeenLine* at() const;
  bool at_end() const { return at_ + 1 >= lines_.size(); }
  /// Why there are no values; empty: there are.
  const std::string& why_not() const { return why_not_; }
  bool cut() const { return cut_; }
  /// Grows with what `shown` and `at` tell, from 1 on.
  std::uint64_t version() const { return version_; }
  /// To the line that was run before, or after; `by` is -1 or 1.
  void step(int by);

  /// Gives up what is asked for.
  void cancel() { *cancel_ = true; }
  /// Once a frame: asks for the values of what is selected now, if that has changed.
  void follow(Model& model);

 private:
  struct Key {
    std::uint64_t simulation = 0;
    std::size_t track = 0;
    std::optional<Owner> who;
    std::uint64_t version = 0;  ///< of the state, which a rule reads
    friend bool operator==(const Key&, const Key&) = default;
  };
  void take(const std::optional<SourceValues>& values, int dimensions = 2);

  std::vector<SourceFile> files_;
  std::vector<SeenLine> lines_;
  std::size_t at_ = 0;  ///< of `lines_`
  std::uint64_t version_ = 1;
  bool cut_ = false;
  bool first_ = true;  ///< the next values are the first of their track
  std::string why_not_ = "select a cell or a thread to see what it computes";
  std::optional<Key> key_;
  /// Values that are asked for; set to true: they are not wanted any more.
  std::shared_ptr<std::atomic<bool>> cancel_ = std::make_shared<std::atomic<bool>>(false);
};

/// Opens or closes the source of the active track.
void toggle_source(Model& model);
/// To the line that the thread ran before, or after; in a loop the formula goes to the same turn.
void step_source(Model& model, int by);

}  // namespace warploom
