#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/scenes/butterfly/devices/team_transform.h"

namespace warploom {

/// Rows that are longer than a block, by elements: of every row each device has 2^(n - d), which are a row of its own
/// to the usual transforms of one device. What a device must know of the others is a few values, or its part as a
/// whole. Source: perez2018scan.
class LongParts : public TeamTransform {
 public:
  std::vector<Part> parts() const override;
  NetworkReport report() const override { return report_; }

 protected:
  /// `copies`: each device works on arrays of its own, wherever the rows lie.
  LongParts(const Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant,
            bool copies = false);

  int devices() const { return team_->size(); }
  int own_digits() const { return settings_.n - d_; }
  /// Settings and variant of a part.
  const ButterflySettings& part_settings() const { return part_settings_; }
  const ButterflyVariant& part_variant() const { return part_variant_; }
  /// A part's rows, one behind the other: where they lie as a whole, or a copy.
  const void* part_in(int device, const void* in) const;
  void* part_out(int device, void* out) const;
  /// Told of the parts' transforms by the one of the first; of each problem `nodes`, `stages` and `launches` more.
  void begin_report(const NetworkReport& of_part, std::uint64_t nodes, int stages, std::uint64_t launches);
  /// Values of a problem over the link, of so many bytes, by so many exchanges.
  void tell_link(std::uint64_t values, std::uint64_t bytes, std::uint64_t exchanges);
  /// Of a device: its arrays of rows.
  std::uint64_t rows_bytes(int device) const;

  void scatter(Queue& queue, const void* in) override;
  void gather(Queue& queue, void* out, std::uint64_t* singular) override;
  void tell(DevicesReport& report) const override;

  int d_;
  NetworkReport report_;
  struct Rows {
    Buffer<std::uint8_t> in, out;
  };
  std::vector<Rows> rows_;  ///< by device; empty where it reaches the rows as they lie

 private:
  RowShape in_, out_;
  ButterflySettings part_settings_;
  ButterflyVariant part_variant_;
  std::uint64_t value_bytes_ = 0;
};

/// Whether a row is longer than a block, so that its parts are rows of their own.
inline bool is_long(const ButterflySettings& settings, const ButterflyVariant& variant) {
  return settings.n > variant.mapping.s;
}
/// The settings of a device's part: of rows of 2^(n - d).
ButterflySettings part_of(const ButterflySettings& settings, int d);
/// ... and how it runs them.
ButterflyVariant part_of(const ButterflySettings& part_settings, const ButterflyVariant& variant);

std::unique_ptr<Transform> make_long_scan_parts(Queue& queue, const ButterflySettings& settings,
                                                const ButterflyVariant& variant);
std::unique_ptr<Transform> make_long_system_parts(Queue& queue, const ButterflySettings& settings,
                                                  const ButterflyVariant& variant);
std::unique_ptr<Transform> make_long_sort_parts(Queue& queue, const ButterflySettings& settings,
                                                const ButterflyVariant& variant);
std::unique_ptr<Transform> make_long_fft_parts(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyVariant& variant);

}  // namespace warploom
