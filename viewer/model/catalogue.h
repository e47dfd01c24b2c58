#pragma once
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/parameter_schema.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// One row of `warploom list`: its key, and named columns.
struct Row {
  std::string key;
  std::vector<std::pair<std::string, std::string>> columns;
  std::vector<std::string> choices{};  ///< of a parameter; in JSON alone
};
/// A topic of it, and what a scene says there.
struct Topic {
  std::string name;
  std::vector<Row> rows;
  bool of_files = false;  ///< they are read from the data folder and the user's
};

/// What a key of gpu/REFERENCES.md stands for: authors, title, year. The key itself where the list is not found, or
/// does not have it.
std::string citation_text(const std::string& key);

/// A topic with a row for each of `all`.
template <class Range, class RowOf>
Topic topic_of(const char* name, const Range& all, RowOf row_of) {
  Topic topic{name, {}};
  for (const auto& one : all) topic.rows.push_back(row_of(one));
  return topic;
}

/// The usual topics of a scene: every map, and every work of every domain.
Topic maps_topic(const char* scene, const std::vector<TrackInfo>& tracks);
Topic works_topic(const char* scene, const std::vector<Choice>& works);

}  // namespace warploom
