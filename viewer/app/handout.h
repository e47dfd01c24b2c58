#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "viewer/app/app.h"

namespace warploom {

/// A folder to hand out: picture.png (with its scene inside), a plot each as SVG and CSV, stats.json, words.txt,
/// scene.toml, and README.md with what was found and the command that makes the picture again. The picture is that of
/// the scene text, without times: those differ from run to run. `draw` draws a frame and answers its pixels.
void write_handout(const std::string& folder, Model& model, App& app, const nlohmann::ordered_json& stats, int width,
                   int height, const std::function<std::vector<Rgba>()>& draw);

}  // namespace warploom
