#include "gpu/files/molecule_text.h"

namespace warploom {

bool Models::ends_at(std::string_view record, std::uint64_t line, bool has_atoms) {
  if (record == "MODEL") {
    next_begins_ = line_ != 0 || has_atoms;
    if (!next_begins_) line_ = line;
    ended_ = next_begins_;
  }
  ended_ = ended_ || record == "ENDMDL" || record == "END";
  return ended_;
}

void Models::check_end(const PointSource& source, std::uint64_t lines) const {
  if (line_ != 0 && !ended_)
    throw source.refuse(line_, "this MODEL has no ENDMDL; the file is cut off after line " + std::to_string(lines));
}

void Models::tell(PointLines& lines, Points& points) const {
  std::uint64_t models = next_begins_ ? 2 : 1;
  while (lines.next())
    if (trimmed(lines.text().substr(0, 6)) == "MODEL") ++models;
  if (models > 1) points.remarks.push_back("model 1 of " + std::to_string(models));
}

void StrangeRecords::add(std::uint64_t line, std::string_view record) {
  if (count_++) return;
  first_ = line;
  record_ = record;
}

void StrangeRecords::tell(Points& points, std::string_view what) const {
  if (!count_) return;
  points.remarks.push_back("line " + std::to_string(first_) + ": " + shown(record_) + " is " + std::string(what) +
                           ": left out" + (count_ > 1 ? ", and " + std::to_string(count_ - 1) + " more like it" : ""));
}

}  // namespace warploom
