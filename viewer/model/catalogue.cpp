#include "viewer/model/catalogue.h"

namespace warploom {

Topic maps_topic(const char* scene, const std::vector<TrackInfo>& tracks) {
  return topic_of("maps", tracks, [&](const TrackInfo& track) {
    return Row{track.name,
               {{"scene", scene},
                {"title", track.title},
                {"description", track.description},
                {"source", track.citation},
                {"exact", track.exact ? "exact" : "inexact"}}};
  });
}

Topic works_topic(const char* scene, const std::vector<Choice>& works) {
  return topic_of("works", works, [&](const Choice& work) {
    return Row{work.key, {{"scene", scene}, {"title", work.title}, {"description", work.help}}};
  });
}

}  // namespace warploom
