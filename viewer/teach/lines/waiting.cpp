// Steps, pauses and checks.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "gpu/core/format.h"
#include "viewer/base/numbers.h"
#include "viewer/teach/lines/kinds.h"

namespace warploom {

namespace {

constexpr double most_seconds = 60;

/// Fails once a wait has lasted too long. Where nothing draws, a frame is a sixtieth of a second.
struct Patience {
  double began = -1;
  std::uint64_t frame = 0;
  void begin(const ScriptStage& stage) {
    if (began >= 0) return;
    began = stage.seconds;
    frame = stage.frames;
  }
  void check(const ScriptStage& stage, const std::string& what) const {
    if (stage.seconds - began > most_seconds)
      throw Failed(fmt::format("{} did not end within {:g} s", what, most_seconds));
  }
};

Act read_step(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 1, 1, step_line);
  constexpr std::uint32_t most = 1000000;
  const auto count = parse_number<std::uint32_t>(words[0].text);
  if (!count || *count < 1 || *count > most)
    throw FileError(fmt::format("step '{}': expected a whole number from 1 to {}", words[0].text, most));
  return [steps = *count, made = 0u, towards = std::optional<std::uint64_t>()](ScriptStage& stage) mutable {
    Model& model = stage.model;
    if (model.building() || model.runner().busy()) return false;
    const auto simulation = model.runner().simulation();
    if (!simulation) throw Error("nothing is built: there are no steps");
    model.playing = false;
    if (!towards) {
      const std::uint32_t now = stage.filmed ? 1 : steps;  // a film shows them one by one
      const std::uint64_t wanted = simulation->steps() + now;
      if (model.runner().step(now)) towards = wanted;
      if (model.runner().busy()) return false;
    }
    if (!towards) return false;
    const bool come = simulation->steps() >= *towards;
    if (!come) throw Error("the steps were given up" + (model.notice.empty() ? "" : ": " + model.notice));
    towards.reset();
    if (stage.filmed && ++made < steps) return false;
    made = 0;
    return true;
  };
}

Act read_wait(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 1, 2, wait_line);
  const std::string& first = words[0].text;
  if (words.size() == 1 && (first == "built" || first == "still"))
    return [first, patience = Patience()](ScriptStage& stage) mutable {
      patience.begin(stage);
      Model& model = stage.model;
      const bool come = first != "built"
                            ? stage.still()
                            : !model.building() && model.runner().simulation() && !model.runner().judging();
      if (!come) {
        if (stage.model.notice_is_error && !stage.model.building() && !stage.model.runner().busy() &&
            !stage.model.runner().simulation())
          throw Error(stage.model.notice);
        patience.check(stage, "wait " + first);
        return false;
      }
      patience = {};
      return true;
    };
  if (words.size() == 2 && words[1].text == "frames") {
    const double frames = number_in("wait", first, 1, 3600);
    if (frames != std::floor(frames)) throw FileError("wait '" + first + "': expected a whole number of frames");
    return [frames, patience = Patience()](ScriptStage& stage) mutable {
      patience.begin(stage);
      if (static_cast<double>(stage.frames - patience.frame) < frames) {
        patience.check(stage, fmt::format("wait {} frames", frames));
        return false;
      }
      patience = {};
      return true;
    };
  }
  if (words.size() == 2 && words[1].text == "s") {
    const double seconds = number_in("wait", first, 0, most_seconds);
    return [seconds, patience = Patience()](ScriptStage& stage) mutable {
      patience.begin(stage);
      if (stage.seconds - patience.began < seconds) return false;
      patience = {};
      return true;
    };
  }
  throw FileError(fmt::format("wait '{}': expected {}", first, wait_line.takes));
}

Act read_check(const std::vector<ScriptWord>& words, ScriptReading&) {
  std::string text;
  for (const ScriptWord& word : words) text += (text.empty() ? "" : " ") + word.raw;
  return [expression = Expression::read(text), stats = StatsNow(),
          kept = Expression::Answer()](ScriptStage& stage) mutable {
    const auto* answer = ask_now(stage, expression, stats, kept);
    if (!answer) return false;
    stats = {};
    if (!answer->holds) throw Failed(answer->why);
    return true;
  };
}

}  // namespace

const LineKind step_line{"step", "N", "so many steps, waited for", read_step};
const LineKind wait_line{"wait", "built | still | N frames | N s",
                         "until tracks are built, until nothing moves, or so long", read_wait};
const LineKind check_line{"check", "LEFT OP RIGHT", "ends the script where it does not hold", read_check};

}  // namespace warploom
