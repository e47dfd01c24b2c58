#include "viewer/model/catalogue.h"

namespace warploom {

Topic maps_topic(const char* scene, const std::vector<TrackInfo>& tracks) {
  Topic topic{"maps", {}};
  for (const auto& track : tracks)
    topic.rows.push_back({track.name,
                          {{"scene", scene},
                           {"title", track.title},
                           {"description", track.description},
                           {"source", track.citation},
                           {"exact", track.exact ? "exact" : "inexact"}}});
  return topic;
}

Topic works_topic(const char* scene, const std::vector<Choice>& works) {
  Topic topic{"works", {}};
  for (const auto& work : works)
    topic.rows.push_back({work.key, {{"scene", scene}, {"title", work.title}, {"description", work.help}}});
  return topic;
}

}  // namespace warploom
