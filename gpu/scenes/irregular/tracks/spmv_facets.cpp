// What a track of sparse products tells of its format: bytes, curves, rates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "gpu/core/format.h"
#include "gpu/scenes/irregular/tracks/spmv_track.h"

namespace warploom {

std::vector<BudgetBar> SpmvTrack::budget() const {
  std::vector<BudgetBar> bars;
  for (const SpmvBytes& one : all_bytes_) bars.push_back({one.track, one.bytes, one.index, one.track == info_.name});
  return bars;
}

RateFacet::Work SpmvTrack::work() const { return {2 * static_cast<double>(matrix().nonzeros()) / 1e9, "GFLOP/s"}; }

std::vector<RateFacet::Published> SpmvTrack::published() const {
  // circuit5M in double: 5,558,326 rows, 59,524,291 nonzeros [merrill2016merge].
  const auto printed = [](const char* name, double milliseconds) {
    return Published{
        std::string("published: circuit5M, K40m, ") + name, {5558326}, {2 * 59524291 / milliseconds / 1e6}};
  };
  return {printed("merge", 6.92), printed("vendor's HYB", 8.64), printed("vendor's CSR", 316.8)};
}

std::vector<std::string> SpmvTrack::against(const Track& other, const std::string& name) const {
  const auto* theirs = dynamic_cast<const SpmvTrack*>(&other);
  if (!layout_) return {};
  const double nonzeros = static_cast<double>(std::max<std::uint64_t>(1, matrix().nonzeros()));
  std::string bytes = fmt::format("stores {:.3g} bytes per nonzero", layout_->bytes() / nonzeros);
  std::string lanes = fmt::format("keeps {:.3g} % of its lanes busy", 100 * layout_->counts().warp_efficiency());
  if (theirs && theirs->layout_) {
    const double factor = theirs->layout_->bytes() / layout_->bytes();
    bytes += factor > 1.005  ? fmt::format(", {:.3g} times less than {}", factor, name)
             : factor < .995 ? fmt::format(", {:.3g} times as much as {}", 1 / factor, name)
                             : ", as much as " + name;
    lanes += fmt::format(", {} {:.3g} %", name, 100 * theirs->layout_->counts().warp_efficiency());
  }
  return {bytes, lanes};
}

namespace {

void add_spmv_point(CurveFigure::Line& line, double x, double y) {
  line.x.push_back(x);
  line.y.push_back(y);
}

}  // namespace

std::vector<CurveFigure> SpmvTrack::make_curves() const {
  const auto lengths = spmv_lengths(matrix());
  const bool hybrid = layout_ && layout_->width() >= 0;
  const double padded = static_cast<double>(matrix().padded_rows()),
               nonzeros = static_cast<double>(matrix().nonzeros());

  CurveFigure rows;
  rows.key = "row_lengths";
  rows.title = "Row lengths";
  rows.help =
      "how many rows have how many nonzeros, on logarithmic axes; in HYB a row is padded up to the width, and what it "
      "has beyond is the rest. Drag the width, which sets hyb_width";
  rows.x = "nonzeros in a row";
  rows.y = "rows";
  rows.logarithmic_x = rows.logarithmic_y = true;
  CurveFigure::Line seen{"rows", {}, {}};
  for (std::size_t length = 1; length < lengths.size(); ++length)
    if (lengths[length]) add_spmv_point(seen, static_cast<double>(length), lengths[length]);
  rows.lines = {seen};
  // What rows are padded to.
  if (layout_ && info_.map == "ell") rows.mark = matrix().longest;
  if (hybrid) rows.mark = static_cast<double>(layout_->width());
  rows.rows.emplace_back("longest row", counted(matrix().longest, "nonzero"));
  rows.rows.emplace_back("mean", fmt::format("{:.4g}", nonzeros / matrix().rows));
  rows.rows.emplace_back("empty rows", fmt::format("{} of {}", grouped(matrix().empty_rows), grouped(matrix().rows)));

  CurveFigure widths;
  widths.key = "hyb_bytes";
  widths.title = "HYB bytes by width";
  widths.help =
      "bytes per nonzero of HYB for each width: a column of the padded part costs 8 bytes a row, a nonzero of the rest "
      "12. At 0 it is COO, at the longest row ELL; dashed: CSR";
  widths.x = "width";
  widths.y = "bytes per nonzero";
  widths.logarithmic_x = widths.logarithmic_y = true;
  CurveFigure::Line hyb{"HYB", {}, {}, CurveFigure::Line::Kind::points},
      csr{"CSR", {}, {}, CurveFigure::Line::Kind::theory};
  double longer = static_cast<double>(matrix().rows), rest = nonzeros, own_rest = 0;  // of rows longer than the width
  const auto own = static_cast<std::size_t>(std::max<std::int64_t>(0, layout_ ? layout_->width() : 0));
  const double csr_bytes = 8 + 4 * (matrix().rows + 1.) / std::max(1., nonzeros);
  double next = 0;
  for (std::size_t width = 0; width < lengths.size(); ++width) {
    if (width > 0) rest -= longer;
    longer -= lengths[width];
    if (width == own) own_rest = rest;
    const auto at = static_cast<double>(width);
    if (at < next && width != own && width + 1 < lengths.size()) continue;
    next = std::max(at + 1, at * 1.01);  // of long ones not every one
    add_spmv_point(hyb, at, (8 * at * padded + 12 * rest) / std::max(1., nonzeros));
    add_spmv_point(csr, at, csr_bytes);
  }
  widths.lines = {hyb, csr};
  widths.rows.emplace_back("COO, at 0", "12 bytes per nonzero");
  if (hybrid) {
    const auto width = static_cast<double>(own);
    const double padding = width * padded - (nonzeros - own_rest);
    rows.handle = CurveFigure::Handle{
        "hyb_width", width,
        fmt::format("width {}: {} of {} in the rest, {} padding", grouped(own),
                    grouped(static_cast<unsigned long long>(own_rest)), counted(matrix().nonzeros(), "nonzero"),
                    grouped(static_cast<unsigned long long>(padding)))};
    widths.handle = rows.handle;
    const double wanted = std::strtod(settings_.hyb_width.c_str(), nullptr);  // 0 of a rule
    if (wanted > matrix().longest)
      widths.rows.emplace_back(fmt::format("width {:.0f}", wanted),
                               fmt::format("cut to the longest row: {}", grouped(matrix().longest)));
    widths.rows.emplace_back("this track", fmt::format("{:.4g} bytes per nonzero", layout_->bytes() / nonzeros));
  }
  return {rows, widths};
}

}  // namespace warploom
