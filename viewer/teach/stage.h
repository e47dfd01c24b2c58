#pragma once
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "viewer/model/model.h"
#include "viewer/panels/panels.h"
#include "viewer/teach/expression.h"
#include "viewer/teach/hand.h"

namespace warploom {

/// Something does not hold, is not there, or did not come: a script that was right ended. Exit code 3.
struct Failed : Error {
  explicit Failed(const std::string& message) : Error(message, ExitCode::verification) {}
};

/// What lines of scripts act on: the window, or what `run` has in its place.
struct ScriptStage {
  Model& model;
  ui::UiContext& ui;
  PanelState& panels;
  Hand& hand;
  std::filesystem::path folder;  ///< where relative paths of the script start
  /// Glides and seconds take their time, as for people; false: what glides is there at once.
  bool live = false;
  /// Glides take their time though nothing is live: a film is made, frame by frame.
  bool filmed = false;
  /// In a window a mark that is not there is left out: the learner may have closed what it was at.
  bool forgiving = false;
  /// Since the script began.
  double seconds = 0;
  std::uint64_t frames = 0;
  /// Captures the next frame; null: nothing draws here.
  std::function<void(const std::string& file)> capture = nullptr;

  /// Begins a film, or ends it where the name is empty; null: nothing draws here.
  std::function<void(const std::string& file)> record = nullptr;

  /// Nothing runs, is made, read or on its way.
  bool still() const;
};

/// What is computed beside the window, or at once where nothing draws: asked once a frame until it is there.
template <class Value>
class Beside {
 public:
  bool started() const { return started_; }
  /// Null: not yet. Throws what `make` throws.
  template <class Make>
  Value* get(bool at_once, Make&& make) {
    if (value_) return value_.get();
    if (!started_) {
      started_ = true;
      future_ = std::async(at_once ? std::launch::deferred : std::launch::async, std::forward<Make>(make)).share();
    }
    if (!at_once && future_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return nullptr;
    value_ = std::make_shared<Value>(future_.get());
    return value_.get();
  }

 private:
  std::shared_future<Value> future_;
  std::shared_ptr<Value> value_;
  bool started_ = false;
};

/// The stats of this moment (warploom.stats/1), whose samples are those there are: nothing waits for more.
using StatsNow = Beside<nlohmann::ordered_json>;
nlohmann::ordered_json* stats_now(ScriptStage& stage, StatsNow& stats);

/// What `selection`, `hover`, `active`, `playing` and `view` of an expression are now.
nlohmann::ordered_json window_value(Model& model, const std::vector<std::string>& path);
/// The answer of an expression; null: not yet, the stats are being made.
const Expression::Answer* ask_now(ScriptStage& stage, const Expression& expression, StatsNow& stats,
                                  Expression::Answer& kept);

}  // namespace warploom
