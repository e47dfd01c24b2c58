#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gpu/core/error.h"
#include "viewer/teach/run_script.h"
#include "viewer/teach/tour.h"

namespace warploom {

/// What checking a tour found (schema warploom.tour/1), and the first thing that is wrong, "FILE:LINE: step 4 ...":
/// that something does not hold, or `failure`, that a line is refused.
struct TourReport {  // NOLINT(bugprone-exception-escape): moving its JSON throws out of memory alone
  nlohmann::ordered_json json;
  std::string wrong;  ///< empty: all is right
  ExitCode code = ExitCode::done;
};

/// Goes through a tour over windows that draw nothing, at 900 x 600 and 1600 x 900, dark and light: lines run, marks
/// are there and not under the strip, words fit, `until` does not hold before `then` and holds after it, checks hold,
/// questions have their answers in their ranges, and Back then Next comes to the same scene text. `stopped`: given up.
TourReport check_tour(const Tour& tour, Backend backend, const std::function<bool()>& stopped);

/// Pictures of all steps, the strip in them, by `capture` of a scenery: folder/step_01.png, ...
void capture_tour(Model& model, const Tour& tour, Scenery& scenery, const std::filesystem::path& folder,
                  const std::function<bool()>& stopped);

}  // namespace warploom
