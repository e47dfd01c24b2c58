#include "gpu/tracks/facets/over_devices.h"

#include "gpu/core/backend.h"
#include "gpu/core/devices.h"

namespace warploom {

DevicesReport begun_report(const Team& team) {
  DevicesReport report;
  report.count = team.size();
  report.pools = team.backend() == Backend::cpu;
  report.engine = team.link().engine();
  report.version = team.link().version();
  report.direct = team.direct();
  for (int device = 0; device < team.size(); ++device) {
    DevicesReport::Each each;
    each.name = report.pools ? cpu_name() : cuda_devices()[static_cast<std::size_t>(device)].name;
    if (!report.pools) each.memory = cuda_devices()[static_cast<std::size_t>(device)].memory;
    report.each.push_back(std::move(each));
  }
  return report;
}

void tell_step(DevicesReport& report, std::vector<TeamSpan> spans) {
  for (auto& each : report.each) each.busy_ms = each.link_ms = 0;
  for (const TeamSpan& span : spans) {
    auto& each = report.each[static_cast<std::size_t>(span.device)];
    (span.link ? each.link_ms : each.busy_ms) += (span.end_us - span.begin_us) / 1e3;
  }
  if (report.exchanges) report.hidden = 0;  // nothing runs beside an exchange
  report.timeline = std::move(spans);
}

}  // namespace warploom
