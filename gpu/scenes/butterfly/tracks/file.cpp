// Rows of a file, as an algorithm takes them.
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"
#include "gpu/files/npy.h"
#include "gpu/files/rows.h"
#include "gpu/scenes/butterfly/butterfly.h"

namespace warploom {

namespace {

static_assert(std::endian::native == std::endian::little, "the values of a NumPy file are taken as they stand");

/// A number of a file, whatever it was stored as.
struct Number {
  double re = 0, im = 0;
  std::int64_t whole = 0;
};

template <class Stored>
Number number_of(const char* from) {
  Stored value;
  std::memcpy(&value, from, sizeof value);
  if constexpr (std::is_integral_v<Stored>) {
    // Beyond 2^63 nothing fits anywhere.
    const bool fits = std::is_signed_v<Stored> || sizeof(Stored) < 8 || value <= std::numeric_limits<Stored>::max() / 2;
    return {static_cast<double>(value), 0,
            fits ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::max()};
  } else if constexpr (std::is_floating_point_v<Stored>) {
    return {static_cast<double>(value), 0, 0};
  } else {
    return {static_cast<double>(value.real()), static_cast<double>(value.imag()), 0};
  }
}

struct StoredType {
  const char* dtype;
  std::size_t bytes;
  enum class Kind { whole, real, complex } kind;
  Number (*read)(const char*);
};

const StoredType* stored_type(const std::string& dtype) {
  using Kind = StoredType::Kind;
  static const StoredType all[] = {{"|i1", 1, Kind::whole, number_of<std::int8_t>},
                                   {"|u1", 1, Kind::whole, number_of<std::uint8_t>},
                                   {"<i2", 2, Kind::whole, number_of<std::int16_t>},
                                   {"<u2", 2, Kind::whole, number_of<std::uint16_t>},
                                   {"<i4", 4, Kind::whole, number_of<std::int32_t>},
                                   {"<u4", 4, Kind::whole, number_of<std::uint32_t>},
                                   {"<i8", 8, Kind::whole, number_of<std::int64_t>},
                                   {"<u8", 8, Kind::whole, number_of<std::uint64_t>},
                                   {"<f4", 4, Kind::real, number_of<float>},
                                   {"<f8", 8, Kind::real, number_of<double>},
                                   {"<c8", 8, Kind::complex, number_of<std::complex<float>>},
                                   {"<c16", 16, Kind::complex, number_of<std::complex<double>>}};
  for (const auto& one : all)
    if (dtype == one.dtype) return &one;
  return nullptr;
}

class RowsOfFile {
 public:
  RowsOfFile(std::filesystem::path file, const ButterflySettings& settings)
      : file_(std::move(file)), settings_(settings), wanted_(input_shape(settings)) {}

  ButterflyProblem read() {
    InputFile input = open_input(file_, ".npy (NumPy), .wav or .png");
    const std::string extension = extension_of(file_);
    const auto check = [this](std::uint64_t rows, std::uint64_t elements) {
      if (wanted_.width != 1)
        refuse("elements of " + std::to_string(wanted_.width) + " numbers are in .npy files alone");
      take_shape({rows, elements});
    };
    // A sound is cut into rows as long as asked for.
    sound_ = extension == ".wav";
    if (sound_) return taken(read_wav_rows(file_, std::uint64_t{1} << (settings_.n_given ? settings_.n : 10), check));
    if (extension == ".png") return taken(read_png_rows(file_, check));
    return read_array(input);
  }

 private:
  ButterflyProblem read_array(InputFile& input) {
    const NpyHeader header = read_npy_header(input.stream, input.size, file_);
    const StoredType* type = stored_type(header.dtype);
    if (!type)
      refuse("values of type '" + header.dtype + "'; expected " + types_taken() +
             ", of the types that have a code such as '<i4' or '<f4'");
    check_type(*type);
    take_shape(header.shape);
    const std::uint64_t numbers = rows_ * elements_ * wanted_.width, held = input.size - header.data_start;
    if (held != numbers * type->bytes)
      refuse("it holds " + std::to_string(held) + " bytes of data; its header promises " +
             std::to_string(numbers * type->bytes));
    ButterflyProblem problem = room();
    std::vector<char> chunk(type->bytes << 16);
    const std::uint64_t number_bytes = wanted_.bytes / wanted_.width;
    for (std::uint64_t done = 0; done < numbers;) {
      const std::uint64_t count = std::min<std::uint64_t>(numbers - done, 1u << 16);
      if (!input.stream.read(chunk.data(), static_cast<std::streamsize>(count * type->bytes)))
        refuse("it cannot be read to its end");
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t index = header.fortran ? row_major(done + i, header.shape) : done + i;
        put(problem.file.data() + index * number_bytes, type->read(chunk.data() + i * type->bytes), index);
      }
      done += count;
    }
    return problem;
  }
  /// Where a number stands row after row, of one that is stored with the first axis running fastest.
  static std::uint64_t row_major(std::uint64_t stored, const std::vector<std::uint64_t>& shape) {
    std::uint64_t index = 0, stride = 1;
    for (const std::uint64_t size : shape) stride *= size;
    for (const std::uint64_t size : shape) {
      stride /= size;
      index += stored % size * stride;
      stored /= size;
    }
    return index;
  }
  ButterflyProblem taken(const NumberRows& read) {
    check_type(read.whole ? *stored_type("<i8") : *stored_type("<f8"));
    ButterflyProblem problem = room();
    problem.remarks = read.remarks;
    for (std::uint64_t i = 0; i < read.values.size(); ++i)
      put(problem.file.data() + i * wanted_.bytes, {read.values[i], 0, read.whole ? std::llround(read.values[i]) : 0},
          i);
    return problem;
  }
  /// For the rows, as they are taken.
  ButterflyProblem room() const {
    ButterflyProblem problem;
    problem.settings = settings_;
    const double bytes = static_cast<double>(rows_) * static_cast<double>(elements_) * wanted_.bytes;
    if (bytes > 64. * (1ull << 30)) refuse(bytes_text(bytes) + " of rows are more than can be taken");
    problem.file.resize(rows_ * elements_ * wanted_.bytes);
    return problem;
  }
  [[noreturn]] void refuse(const std::string& why) const { throw FileError(file_.string() + ": " + why); }
  bool takes_whole() const { return wanted_.numpy[1] == 'i' || wanted_.numpy[1] == 'u'; }
  std::string types_taken() const {
    if (takes_whole()) return "whole numbers";
    if (settings_.algorithm == "real_fft" && settings_.inverse) return "complex numbers";
    return wanted_.numpy[1] == 'c' ? "complex or real numbers" : "real numbers";
  }
  void check_type(const StoredType& type) const {
    const bool is_whole = type.kind == StoredType::Kind::whole, is_complex = type.kind == StoredType::Kind::complex;
    const bool spectrum = settings_.algorithm == "real_fft" && settings_.inverse;  // numbers alone say nothing of it
    if (takes_whole() ? !is_whole : spectrum ? !is_complex : is_complex && wanted_.numpy[1] != 'c')
      refuse("values of type '" + std::string(type.dtype) + "'; " + settings_.algorithm + " takes " + types_taken() +
             (sound_ ? ": of sound, one channel of 16 bits or fewer" : ""));
  }
  void take_shape(const std::vector<std::uint64_t>& shape) {
    const std::size_t own = wanted_.width > 1 ? 2 : 1;
    std::string words;
    for (const auto size : shape) words += (words.empty() ? "" : " x ") + std::to_string(size);
    if ((shape.size() != own && shape.size() != own + 1) || (own == 2 && shape.back() != wanted_.width))
      refuse("an array of shape " + (words.empty() ? "()" : words) + "; expected " +
             (own == 2 ? "N x " + std::to_string(wanted_.width) + " or B x N x " + std::to_string(wanted_.width)
                       : std::string("N or B x N")));
    rows_ = shape.size() == own ? 1 : shape.front();
    elements_ = shape[shape.size() - own];
    const bool half = settings_.algorithm == "real_fft" && settings_.inverse;
    // Of the spectrum of real rows there are N/2 + 1.
    const std::uint64_t more = half ? 1 : 0, scale = half ? 2 : 1;
    int n = 1;
    while (n < ButterflySettings::largest_n && (std::uint64_t{1} << n) / scale + more < elements_) ++n;
    const std::uint64_t above = (std::uint64_t{1} << n) / scale + more;
    if (elements_ < 2) refuse("rows of " + counted(elements_, "element") + "; the shortest has 2");
    if (above != elements_) {
      const std::uint64_t below = n > 1 ? (std::uint64_t{1} << (n - 1)) / scale + more : above;
      refuse("rows of " + std::to_string(elements_) + " elements; the nearest that are a power of two" +
             (half ? ", halved and one more," : "") + " are " + std::to_string(below) + " and " +
             std::to_string(above));
    }
    if (rows_ == 0) refuse("it has no rows");
    if (rows_ > 1u << 24) refuse(std::to_string(rows_) + " rows; at most 16777216");
    if (settings_.n_given && settings_.n != n)
      refuse("its rows have n = " + std::to_string(n) + ", and n is given as " + std::to_string(settings_.n));
    if (settings_.batch_given && settings_.batch != rows_)
      refuse("it has " + std::to_string(rows_) + " rows, and batch is given as " + std::to_string(settings_.batch));
    settings_.n = n;
    settings_.batch = rows_;
  }
  void put(std::uint8_t* to, const Number& number, std::uint64_t index) const {
    if (takes_whole()) {
      const bool has_sign = wanted_.numpy[1] == 'i';
      const std::int64_t low = has_sign ? std::numeric_limits<std::int32_t>::min() : 0,
                         high = has_sign ? std::numeric_limits<std::int32_t>::max()
                                         : std::int64_t{std::numeric_limits<std::uint32_t>::max()};
      if (number.whole < low || number.whole > high)
        refuse("number " + std::to_string(index) + ", counted from 0, is " + std::to_string(number.whole) +
               "; expected " + std::to_string(low) + " to " + std::to_string(high));
      const auto value = static_cast<std::uint32_t>(number.whole);
      std::memcpy(to, &value, sizeof value);
      return;
    }
    const float values[] = {static_cast<float>(number.re), static_cast<float>(number.im)};
    for (const auto& [stored, single] : {std::pair(number.re, values[0]), std::pair(number.im, values[1])})
      if (std::isfinite(stored) && !std::isfinite(single))
        refuse("number " + std::to_string(index) + ", counted from 0, is beyond those of 32 bits");
    std::memcpy(to, values, wanted_.numpy[1] == 'c' ? sizeof values : sizeof values[0]);
  }

  std::filesystem::path file_;
  ButterflySettings settings_;
  RowShape wanted_;
  std::uint64_t rows_ = 0, elements_ = 0;
  bool sound_ = false;
};

}  // namespace

std::shared_ptr<const ButterflyProblem> make_butterfly_problem(const ButterflySettings& settings) {
  if (!is_signal_file(settings)) return std::make_shared<ButterflyProblem>(ButterflyProblem{settings, {}});
  const std::filesystem::path named(settings.signal);
  return std::make_shared<ButterflyProblem>(
      RowsOfFile(named.is_absolute() ? named : settings.folder / named, settings).read());
}

}  // namespace warploom
