#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/team.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// What several devices do of a track's steps, and of the last one.
struct DevicesReport {
  int count = 1;
  bool pools = false;                      ///< of the CPU, that stand for devices
  std::string split, order;                ///< empty: there is one way alone
  std::string engine, version;             ///< of the link
  bool direct = true;                      ///< whether all reach each other without the host
  std::uint64_t exchanges = 0, bytes = 0;  ///< over the link, of a step
  std::uint64_t values = 0;                ///< ... of a problem
  std::optional<double> hidden;            ///< 0..1: which part of the link was beside work
  struct Each {
    std::string name;
    std::uint64_t memory = 0;             ///< of the device; of a pool 0
    std::uint64_t input = 0, output = 0;  ///< bytes of its rows there, of both states
    std::uint64_t bytes = 0;              ///< that the track has there, those and what it works with
    std::uint64_t blocks = 0;             ///< of the launch that does the most
    double busy_ms = 0, link_ms = 0;
  };
  std::vector<Each> each;  ///< by device
  /// Where a problem fits: 1: a block; 2: one device; 3: several devices alone. Source: perez2018scan.
  int fits = 2;
  const char* problem = "row";      ///< what is shared out
  std::uint64_t problem_bytes = 0;  ///< its input and output, of both states
  std::uint64_t allowed = 0;        ///< that a device may hold; 0: what there is
  /// That or, of a card, its memory; 0: it is not known.
  std::uint64_t most() const { return allowed ? allowed : each.front().memory; }
  bool fits_several_alone() const { return most() && problem_bytes > most(); }
  std::vector<TeamSpan> timeline;  ///< of the last step; empty before the first
};

/// With what is known of a team before a step.
DevicesReport begun_report(const Team& team);
/// What a step did.
void tell_step(DevicesReport& report, std::vector<TeamSpan> spans);

/// A track whose steps run on several devices. Any thread.
class OverDevices : public FacetBase {
 public:
  virtual std::shared_ptr<const DevicesReport> devices() const = 0;
};

}  // namespace warploom
