#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace warploom {

/// JSON over several lines. Bytes that are no UTF-8, as names of files may hold, become U+FFFD.
template <class Json>
std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warploom
