// What a link between devices takes, whatever crosses it.
#include <fmt/format.h>

#include <algorithm>

#include "gpu/bench/link_times.h"
#include "gpu/bench/measure.h"
#include "gpu/bench/track_bench.h"
#include "gpu/core/backend.h"
#include "gpu/core/devices.h"
#include "gpu/tracks/named_devices.h"

namespace warploom::bench {

std::vector<int> devices_wished(const Settings& settings, const char* usual) {
  const auto* given = settings.given("devices");
  std::vector<int> all;
  for (const auto& word : words_of(given ? *given : usual)) all.push_back(std::stoi(word));
  return all;
}

void check_devices_wished(const Settings&, const std::string& text) {
  for (const auto& word : words_of(text)) {
    const bool digits = !word.empty() && word.size() < 3 && word.find_first_not_of("0123456789") == std::string::npos;
    check_device_count(fmt::format("devices '{}'", word), digits ? std::stoi(word) : 0);
  }
}

namespace {

class DevicesSuite : public TrackBench {
 public:
  explicit DevicesSuite(Bench& bench) : TrackBench(bench, "devices") {
    const std::string usual = cuda() ? "2" : "2,4";
    for (const int devices : devices_wished(bench.settings(), usual.c_str())) {
      if (devices < 2) continue;
      add_part(
          fmt::format("{}/join", devices), [this, devices] { join(devices); },
          [this, devices] { return figure_of(devices, "join", "us"); });
      // Up to what no cache holds, on a GPU.
      const std::uint64_t most = cuda() ? 256u << 20 : 4u << 20;
      for (std::uint64_t bytes = 64; bytes <= most; bytes *= bytes < 1024 ? 16 : 8)
        add_part(
            fmt::format("{}/exchange/{}", devices, bytes), [this, devices, bytes] { exchange(devices, bytes); },
            [this, devices, bytes] { return figure_of(devices, fmt::format("exchange/{}", bytes), "us"); });
    }
  }

 private:
  Figure figure_of(int devices, const std::string& name, const char* unit) const {
    return make_figure(fmt::format("{}/{}", devices, name), unit,
                       {{"devices", std::to_string(devices)}, {"verified_by", "every byte that arrived"}});
  }
  std::shared_ptr<Team> team_of(int devices) const {
    check_devices(bench().backend(), devices);
    return Team::of(bench().backend(), devices);
  }
  void join(int devices) {
    const auto team = team_of(devices);
    Figure figure = figure_of(devices, "join", "us");
    figure.note = "fork and join of nothing, by the host's clock";
    const auto times = time_joins(bench().queue(), *team, bench().settings().samples);
    set_values(figure, {true, times, {}}, times);
    add(std::move(figure));
  }
  void exchange(int devices, std::uint64_t bytes) {
    const auto team = team_of(devices);
    const auto times = time_exchange(bench().queue(), *team, bytes, bench().settings().samples, bench().fresh_seed());
    const auto told = [&](const char* name, const char* unit, const std::vector<double>& values) {
      Figure figure = figure_of(devices, fmt::format("{}/{}", name, bytes), unit);
      figure.parameters.insert(figure.parameters.end(),
                               {{"bytes_a_pair", std::to_string(bytes)}, {"engine", team->link().engine()}});
      if (!team->direct()) figure.note = "through the host";
      set_values(figure, {times.verified, times.microseconds, {}}, values);
      add(std::move(figure));
    };
    told("exchange", "us", times.microseconds);
    // What comes to a device, of all others.
    std::vector<double> rates;
    const double received = static_cast<double>(bytes) * (devices - 1);
    for (const double us : times.microseconds) rates.push_back(received / std::max(us, 1e-3) / 1e3);
    told("rate", "GB/s", rates);
  }
};

}  // namespace

Suite devices_suite() {
  return {"devices",
          "exchanges between devices, or pools that stand for them: what one takes, by its size, and at which rate",
          [](Bench& bench) { return DevicesSuite(bench).run(); },
          {{"devices", check_devices_wished}}};
}

}  // namespace warploom::bench
