// The arrays as stored, an element a place.
#include <algorithm>
#include <cstdio>

#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/irregular/pictures/spmv_paint_storage.h"
#include "gpu/scenes/irregular/pictures/spmv_picture.h"

namespace warploom {

namespace {

class StoragePicture final : public SpmvPicture {
 public:
  explicit StoragePicture(SpmvTrack& track)
      : SpmvPicture(track, {.shape = PictureInfo::Shape::plane,
                            .key = "storage",
                            .title = "Storage",
                            .space = "",
                            .also = Selection::cell,
                            .fills = true,
                            .colours = {}}) {
    arrays_.fold = spmv_fold(matrix_);
    for (const SpmvArray& array : layout_->arrays()) {
      ArrayRegion region{ArrayRegion::Kind::ribbon, 0, array.columns, array.first, array.elements, array.rows};
      if (array.shape == SpmvArray::Shape::slab) region.kind = ArrayRegion::Kind::slab;
      if (array.shape == SpmvArray::Shape::slices) region.kind = ArrayRegion::Kind::slices;
      if (region.kind == ArrayRegion::Kind::ribbon) region.columns = (array.elements + arrays_.fold - 1) / arrays_.fold;
      add(region);
    }
    if (track.info().name == "csr/merge" && arrays_.count > 0 && matrix_.nonzeros() > 0) {
      arrays_.path = {nullptr, matrix_.rows, matrix_.nonzeros(), layout_->longest_turns()};
      add({ArrayRegion::Kind::path, 0, arrays_.regions[0].columns, 0, 0, matrix_.rows});
    }
    if (std::any_of(arrays_.regions, arrays_.regions + arrays_.count,
                    [](const ArrayRegion& one) { return one.kind == ArrayRegion::Kind::slices; }))
      before_ = turns_before(*layout_);
  }

  std::array<double, 3> extent(const Looking&) const override {
    double wide = 1, high = 1;
    for (int i = 0; i < arrays_.count; ++i) {
      const ArrayRegion& one = arrays_.regions[i];
      wide = std::max(wide, one.right());
      high = std::max(high, static_cast<double>(one.kind == ArrayRegion::Kind::ribbon
                                                    ? std::min<std::uint64_t>(arrays_.fold, one.elements)
                                                    : one.rows));
    }
    return {wide, high, 1};
  }
  bool joint() const override { return true; }
  std::string heading() const override {
    const std::string bytes = bytes_text(layout_->bytes());
    const std::uint64_t stored = layout_->stored(), padding = stored - matrix_.nonzeros();
    if (!padding) return bytes + ", no padding";
    char text[32];
    std::snprintf(text, sizeof text, ", %.3g %% padding",
                  100 * static_cast<double>(padding) / static_cast<double>(stored));
    return bytes + text;
  }
  std::string caption() const override {
    std::string words;
    for (const SpmvArray& array : layout_->arrays()) {
      words += words.empty() ? "" : ", ";
      words += array.shape == SpmvArray::Shape::slab ? counted(array.columns, "column") + " of " + grouped(array.rows)
                                                     : array.name + " " + short_count(array.elements);
    }
    return words;
  }
  std::vector<Kind> kinds(const PictureRequest& request) const override {
    const Palette& palette = request.palette;
    std::vector<Kind> all;
    if (const std::uint64_t padding = layout_->stored() - matrix_.nonzeros())
      all.push_back({short_count(padding) + " padding", palette.waste, palette.hatch});
    if (matrix_.nonzeros()) all.push_back({short_count(matrix_.nonzeros()) + " nonzeros", palette.track});
    if (const MergePath& path = arrays_.path; path.rows) {
      const std::uint64_t items = path.rows + path.nonzeros;
      all.push_back(
          {"merge path " + short_count((items + path.items - 1) / path.items) + " \u00d7 " + std::to_string(path.items),
           mix(palette.track, palette.ground, .45f)});
    }
    return all;
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    if (!before_.empty() && !before_there_.size()) before_there_.assign(queue, before_);
    if (arrays_.path.rows && !starts_.size()) starts_.assign(queue, matrix_.row_starts);
    PaintArrays plane = arrays_;
    plane.turns = {before_there_.data(), {}};
    plane.path.row_starts = starts_.data();
    plane.pixels = splat(queue, request);
    paint_plane("spmv.colour", queue, request, plane);
  }

 protected:
  SpmvPlace place_of(std::uint64_t nonzero, std::uint32_t row) const override {
    const SpmvSpot spot = layout_->spot(nonzero, row);
    for (int i = 0; i < arrays_.count; ++i) {
      const ArrayRegion& one = arrays_.regions[i];
      if (one.kind == ArrayRegion::Kind::path || spot.place < one.first || spot.place >= one.first + one.elements)
        continue;
      if (one.kind == ArrayRegion::Kind::slices) return {left(one, spot.turn), static_cast<std::uint32_t>(spot.thread)};
      const std::uint64_t high = one.kind == ArrayRegion::Kind::slab ? one.rows : arrays_.fold,
                          in = spot.place - one.first;
      return {left(one, in / high), static_cast<std::uint32_t>(in % high)};
    }
    return {};
  }
  std::uint64_t nonzero_at(std::uint32_t x, std::uint32_t y) const override {
    std::uint64_t element = 0;
    return host().element_at(x + .5, y + .5, element) ? layout_->at_place(element) : on_path(x, y);
  }
  /// The last nonzero before padding stands for it.
  std::uint64_t stand_in(std::uint32_t x, std::uint32_t y) const override {
    const PaintArrays arrays = host();
    const ArrayRegion* region = arrays.region_at(x + .5);
    if (!region) return no_nonzero;
    constexpr std::uint32_t most = 1 << 14;
    for (std::uint32_t u = x; u > static_cast<std::uint32_t>(region->left) && x - u < most;) {
      std::uint64_t element = 0;
      if (!arrays.element_at(--u + .5, y + .5, element)) continue;
      if (const std::uint64_t found = layout_->at_place(element); found != no_nonzero) return found;
    }
    return no_nonzero;
  }
  std::vector<Outline> outlines(std::uint64_t nonzero, std::uint32_t row) const override {
    const SpmvPlace at = place_of(nonzero, row);
    const double x = at.x, y = at.y;
    // The sector of its value: eight elements, one below the other.
    constexpr std::uint32_t in_sector = 32 / sizeof(float);
    const auto first_row = at.y / in_sector * in_sector;
    const double top = first_row;
    std::vector<Outline> all{{Outline::Kind::block, {x, top, 0}, {x + 1, top + in_sector, 1}},
                             {Outline::Kind::place, {x, y, 0}, {x + 1, y + 1, 1}}};
    for (int i = 0; i < arrays_.count; ++i)
      if (const ArrayRegion& one = arrays_.regions[i]; one.kind == ArrayRegion::Kind::path) {
        const double each = static_cast<double>(matrix_.nonzeros()) / static_cast<double>(one.columns),
                     from = one.left + static_cast<double>(nonzero) / each;
        all.push_back({Outline::Kind::place, {from, double(row), 0}, {from + 1 / each, row + 1., 1}});
      }
    return all;
  }

 private:
  void add(ArrayRegion region) {
    if (!region.columns || arrays_.count == PaintArrays::most_regions) return;
    if (arrays_.count > 0) {
      const double end = arrays_.regions[arrays_.count - 1].right();
      region.left = end + std::max(1., std::floor(end / 16));
    }
    arrays_.regions[arrays_.count++] = region;
  }
  /// Where the host asks.
  PaintArrays host() const {
    PaintArrays all = arrays_;
    all.turns = {before_.data(), {}};
    return all;
  }
  static std::uint32_t left(const ArrayRegion& region, std::uint64_t column) {
    return static_cast<std::uint32_t>(region.left) + static_cast<std::uint32_t>(column);
  }
  /// The nonzero nearest to a place of the merge path's plane, in the row that lies there.
  std::uint64_t on_path(std::uint32_t x, std::uint32_t y) const {
    const ArrayRegion* region = arrays_.region_at(x + .5);
    if (!region || region->kind != ArrayRegion::Kind::path || y >= matrix_.rows || !matrix_.length(y))
      return no_nonzero;
    const double each = static_cast<double>(matrix_.nonzeros()) / static_cast<double>(region->columns),
                 wanted = (x + .5 - region->left) * each;
    return static_cast<std::uint64_t>(
        std::clamp(wanted, double(matrix_.row_starts[y]), double(matrix_.row_starts[y + 1]) - 1));
  }

  PaintArrays arrays_;  ///< without what lies on the device
  std::vector<std::uint64_t> before_;
  Buffer<std::uint64_t> before_there_;
  Buffer<std::uint32_t> starts_;
};

}  // namespace

std::unique_ptr<Picture> make_spmv_storage_picture(SpmvTrack& track) { return std::make_unique<StoragePicture>(track); }

}  // namespace warploom
