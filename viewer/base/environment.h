#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "gpu/core/backend.h"

namespace warploom {

/// What a figure was measured on: the `environment` of statistics, benchmarks and captures. Fields that do not apply
/// are null.
nlohmann::ordered_json environment(Backend backend, const std::string& gl_renderer, const std::string& interop);

/// Null for an empty text.
inline nlohmann::ordered_json text_or_null(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(text);
}

/// Now, in UTC: 2026-11-20T12:00:00Z.
std::string utc_time();

}  // namespace warploom
