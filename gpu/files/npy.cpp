#include "gpu/files/npy.h"

#include <charconv>
#include <set>
#include <string_view>

#include "gpu/core/error.h"
#include "gpu/core/files.h"

namespace warploom {

namespace {

/// The dictionary of a NumPy header, read strictly: nothing skipped, nothing guessed, so that a damaged header is never
/// taken for another array.
class NpyDictionary {
 public:
  NpyDictionary(std::string_view text, const std::filesystem::path& file) : text_(text), file_(file) {}

  NpyHeader read() {
    NpyHeader header;
    std::set<std::string> keys;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted();
      expect(':');
      const bool first = keys.insert(key).second;
      if (first && key == "descr")
        header.dtype = next() == '[' ? list() : quoted();
      else if (first && key == "fortran_order")
        header.fortran = truth();
      else if (first && key == "shape")
        header.shape = sizes();
      else
        throw refuse("'descr', 'fortran_order' and 'shape', each once");
      if (!take(',') && next() != '}') throw refuse("',' or '}'");
    }
    if (next() != '\0' || at_ < text_.size()) throw refuse("nothing after '}'");
    if (keys.size() < 3) throw refuse("'descr', 'fortran_order' and 'shape', each once");
    return header;
  }

 private:
  FileError refuse(const std::string& expected) const {
    return FileError(file_.string() + ": its NumPy header cannot be read: expected " + expected + " at character " +
                     std::to_string(at_) + "; save the array again with numpy.save");
  }
  /// The next character that is no blank; '\0' at the end.
  char next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    const bool here = next() == wanted && at_ < text_.size();
    at_ += here;
    return here;
  }
  void expect(char wanted) {
    if (!take(wanted)) throw refuse(std::string("'") + wanted + "'");
  }
  bool take(std::string_view word) {
    const bool here = next() == word[0] && text_.substr(at_).starts_with(word);
    at_ += here ? word.size() : 0;
    return here;
  }
  std::string quoted() {
    const char quote = next();
    if (quote != '\'' && quote != '"') throw refuse("a quoted word");
    const auto end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) throw refuse("a quoted word that ends");
    std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }
  std::string list() {
    const std::size_t start = at_;
    int depth = 0;
    do {
      if (at_ == text_.size()) throw refuse("']'");
      depth += text_[at_] == '[' ? 1 : text_[at_] == ']' ? -1 : 0;
      ++at_;
    } while (depth > 0);
    return std::string(text_.substr(start, at_ - start));
  }
  bool truth() {
    if (take("True")) return true;
    if (take("False")) return false;
    throw refuse("True or False");
  }
  std::vector<std::uint64_t> sizes() {
    std::vector<std::uint64_t> all;
    expect('(');
    while (!take(')')) {
      (void)next();
      std::uint64_t size = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
      if (error != std::errc()) throw refuse("a size below 2^64");
      at_ = static_cast<std::size_t>(end - text_.data());
      if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote its long numbers so
      all.push_back(size);
      if (!take(',') && next() != ')') throw refuse("',' or ')'");
    }
    return all;
  }

  std::string_view text_;
  const std::filesystem::path& file_;
  std::size_t at_ = 0;
};

}  // namespace

NpyHeader read_npy_header(std::istream& in, std::uint64_t size, const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& why) { return FileError(file.string() + ": " + why); };
  const auto fetch = [&](std::size_t bytes) {
    std::string part(bytes, '\0');
    in.read(part.data(), static_cast<std::streamsize>(bytes));
    part.resize(static_cast<std::size_t>(in.gcount()));
    return part;
  };
  const std::string before = fetch(8);
  if (before.size() < 8 || before.compare(0, 6, "\x93NUMPY") != 0)
    throw refuse("not a NumPy file (" + std::to_string(size) + " bytes; one starts with \\x93NUMPY)");
  const int major = static_cast<unsigned char>(before[6]);
  if (major < 1 || major > 3)
    throw refuse("NumPy format version " + std::to_string(major) + "; versions 1 to 3 are known");
  const std::string length_bytes = fetch(major == 1 ? 2 : 4);
  if (length_bytes.size() < (major == 1 ? 2u : 4u)) throw refuse("its header is cut off");
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes.size(); ++i)
    length |= static_cast<std::size_t>(static_cast<unsigned char>(length_bytes[i])) << 8 * i;
  const std::size_t start = before.size() + length_bytes.size();
  if (size < start + length) throw refuse("its header is cut off");
  // An array of numbers needs a hundred bytes; the limit keeps a damaged length from claiming gigabytes.
  if (length > 65535) throw refuse("a header of " + std::to_string(length) + " bytes; at most 65535 are read");
  const std::string text = fetch(length);
  if (text.size() < length) throw refuse("its header is cut off");
  NpyHeader header = NpyDictionary(text, file).read();
  header.data_start = start + length;
  return header;
}

void write_npy(const std::filesystem::path& file, const std::string& dtype, const std::vector<std::uint64_t>& shape,
               const void* data, std::uint64_t bytes) {
  std::string axes;
  for (const auto size : shape) axes += std::to_string(size) + ",";
  std::string header = "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': (" + axes + "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string start("\x93NUMPY\1\0", 8);
  start += static_cast<char>(header.size() & 255);
  start += static_cast<char>(header.size() >> 8);
  write_atomically(file, {start, header, {static_cast<const char*>(data), static_cast<std::size_t>(bytes)}});
}

}  // namespace warploom
