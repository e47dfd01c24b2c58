#pragma once
#include <nlohmann/json.hpp>

namespace warploom {

/// A scene with results that are more than numbers: they join `results` of statistics, by their keys.
class Reported {
 public:
  virtual nlohmann::ordered_json report() const = 0;

 protected:
  ~Reported() = default;
};

}  // namespace warploom
