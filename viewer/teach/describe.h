#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "viewer/draw/painter.h"
#include "viewer/model/model.h"

namespace warploom {

/// What is shown, in words and figures (schema warploom.describe/1, docs/learning.md): of the stats of this moment and
/// of the window. No number is in its words that the stats do not have, but for what is picked. The window's thread;
/// `questions` is a queue for what is asked of tracks; `painter` knows which pictures look at some of their cells only.
nlohmann::ordered_json describe(Model& model, const nlohmann::ordered_json& stats, Queue& questions,
                                const Painter* painter = nullptr);
/// Its words, a line each.
std::string described_words(const nlohmann::ordered_json& described);
/// Throws UsageError unless the file ends in .txt or .json, or is "-".
void check_describe_name(const std::string& file);
/// Words (.txt, "-") or all of it (.json).
void write_described(const std::string& file, const nlohmann::ordered_json& described);

}  // namespace warploom
