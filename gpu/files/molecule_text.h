#pragma once
#include "gpu/files/point_text.h"

// What the readers of molecules share: models, and records that are none.

namespace warploom {

/// Follows MODEL, ENDMDL and END: the first model is read.
class Models {
 public:
  /// Takes a record; true: what was asked for ends before this line. `has_atoms`: some were read already.
  bool ends_at(std::string_view record, std::uint64_t line, bool has_atoms);
  /// Throws FileError where a model has no end.
  void check_end(const PointSource& source, std::uint64_t lines) const;
  /// Counts the models that follow in `lines`, and remarks how many there are.
  void tell(PointLines& lines, Points& points) const;

 private:
  std::uint64_t line_ = 0;  ///< of its MODEL; 0: none
  bool ended_ = false, next_begins_ = false;
};

/// Lines that look like atoms but for their record's name, of which a word is said.
class StrangeRecords {
 public:
  void add(std::uint64_t line, std::string_view record);
  /// "line 2: 'ATAM' is no ...: left out, and 3 more like it"
  void tell(Points& points, std::string_view what) const;

 private:
  std::uint64_t first_ = 0, count_ = 0;
  std::string record_;
};

}  // namespace warploom
