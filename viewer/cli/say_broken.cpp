#include "viewer/cli/say_broken.h"

#include <set>
#include <string>

#include "gpu/tracks/facets/written.h"
#include "viewer/base/say.h"

namespace warploom {

bool say_what_broke(const Simulation& tracks) {
  bool any = false;
  std::set<std::string> said;
  const auto status = tracks.status();
  for (std::size_t i = 0; i < status.size(); ++i) {
    any = any || *status[i].broken;
    if (const auto* written = tracks.track(i).facet<Written>())
      for (const auto& what : complaints(written->own(), tracks.track(i).dimensions()))
        if (said.insert(what).second) say("{}", what);  // tracks that run one rule fall alike
  }
  return any;
}

}  // namespace warploom
