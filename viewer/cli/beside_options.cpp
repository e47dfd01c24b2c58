#include "viewer/cli/beside_options.h"

#include <fmt/format.h>

namespace warploom {

void refuse_beside(const char* option, const Options& given, bool answers) {
  const auto refuse = [&](bool is_given, const char* what) {
    if (is_given) throw UsageError(fmt::format("{} has no effect beside {} in a run; leave it out", what, option));
  };
  refuse(!given.stats.empty(), "--stats");
  refuse(!given.dump.empty(), "--dump");
  refuse(!given.describe.empty(), "--describe");
  refuse(!given.handout.empty(), "--handout");
  refuse(!given.record.empty(), "--record");
  refuse(!given.picture.empty(), "--picture");
  refuse(given.warmup > 0, "--warmup");
  refuse(given.frames.has_value() && given.preset.empty(), "--frames");
  refuse(given.steps_per_frame != 1, "--steps-per-frame");
  refuse(!given.picture_of.empty(), "--picture-of");
  refuse(given.overlay, "--overlay");
  refuse(!given.words.empty(), "a scene");
  refuse(answers && !given.capture.empty(), "--capture");
  refuse(!answers && !given.set.empty(), "--set");
  refuse(!answers && !given.maps.empty(), "--map");
  refuse(!answers && !given.scene_file.empty(), "--scene-file");
  refuse(!answers && given.seed.has_value(), "--seed");
}

}  // namespace warploom
