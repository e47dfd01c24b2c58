#include "viewer/export/devices_json.h"

#include "gpu/tracks/facets/over_devices.h"
#include "viewer/base/environment.h"

namespace warploom {

using Json = nlohmann::ordered_json;

nlohmann::ordered_json devices_json(const Track& track) {
  const auto* over = track.facet<OverDevices>();
  if (!over) return {};
  const auto report = over->devices();
  Json json{
      {"count", report->count},
      {"pools", report->pools},
      {"split", text_or_null(report->split)},
      {"order", text_or_null(report->order)},
      {"link", {{"engine", report->engine}, {"version", text_or_null(report->version)}, {"direct", report->direct}}},
      {"exchanges", report->exchanges},
      {"values", report->values},
      {"bytes", report->bytes},
      {"hidden", report->hidden ? Json(*report->hidden) : Json()},
      {"case", report->fits},
      {"allowed", report->allowed ? Json(report->allowed) : Json()},
      {"each", Json::array()},
      {"timeline", Json::array()}};
  for (std::size_t i = 0; i < report->each.size(); ++i) {
    const auto& each = report->each[i];
    json["each"].push_back({{"device", i},
                            {"name", each.name},
                            {"memory", each.memory ? Json(each.memory) : Json()},
                            {"bytes", each.bytes},
                            {"input", each.input},
                            {"output", each.output},
                            {"blocks", each.blocks},
                            {"busy_ms", each.busy_ms},
                            {"link_ms", each.link_ms}});
  }
  for (const TeamSpan& span : report->timeline)
    json["timeline"].push_back({{"device", span.device},
                                {"row", span.link ? "link" : "work"},
                                {"name", span.name},
                                {"begin_us", span.begin_us},
                                {"end_us", span.end_us},
                                {"bytes", span.bytes}});
  return json;
}

}  // namespace warploom
