#include "gpu/core/format.h"
#include "gpu/scenes/butterfly/pictures/pictures.h"
#include "gpu/scenes/butterfly/tracks/track.h"

// What stands for networks whose wires are not drawn: a box a launch, or a pass where a ring joins two of them.
namespace warploom {

std::uint32_t NetworkPicture::boxes_of_launches() const {
  const NetworkReport& network = track_.network();
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(24, network.launches + (network.ring.bytes ? 1 : 0)));
}

std::string NetworkPicture::ring_text() const { return "ring of " + bytes_text(track_.network().ring.bytes); }

std::vector<PictureLabel> NetworkPicture::launch_labels() const {
  const NetworkReport& network = track_.network();
  const int shown = static_cast<int>(boxes_of_launches());
  const bool passes = network.ring.bytes != 0;
  std::vector<PictureLabel> all;
  for (int i = 0; i < shown; ++i) {
    const std::string number = std::to_string(i + 1);
    all.push_back({{i + .12, .4}, {i + .88, .6}, {(passes ? "pass " : "launch ") + number, number}});
  }
  std::vector<std::string> what{"each box is a launch, and runs some of the stages", "each box is a launch"};
  if (passes) {
    what = {ring_text() + " in L2, " + grouped(network.ring.lag) + " tiles behind", "dotted: a ring in L2", "a ring"};
  } else if (static_cast<std::uint64_t>(shown) < network.launches) {
    what.insert(what.begin(), "the first " + std::to_string(shown) + " of " + std::to_string(network.launches) +
                                  " launches; each runs some of the stages");
  } else if (network.launches == 1) {
    what = {"it runs all stages"};
  }
  if (network.mapping.s == 0) what = {"each thread runs all stages of a problem", "a problem a thread"};
  all.push_back({{0, .9}, {double(shown), .9}, std::move(what), 1, 1});
  return all;
}

}  // namespace warploom
