#include "gpu/files/input.h"

#include <cerrno>
#include <system_error>

#include "gpu/core/error.h"

namespace warploom {

InputFile open_input(const std::filesystem::path& file, std::string_view expected) {
  const auto refuse = [&](const std::string& why) { return FileError(file.string() + ": " + why); };
  const std::string wanted = "; expected a file, " + std::string(expected);
  std::error_code failed;
  const auto status = std::filesystem::status(file, failed);
  if (status.type() == std::filesystem::file_type::not_found) throw refuse("no such file");
  if (!std::filesystem::status_known(status)) throw refuse("cannot be read: " + failed.message());
  if (std::filesystem::is_directory(status)) throw refuse("it is a folder" + wanted);
  if (!std::filesystem::is_regular_file(status)) throw refuse("it is a device or a pipe" + wanted);
  InputFile input;
  input.size = std::filesystem::file_size(file, failed);
  if (failed) throw refuse("cannot be read: " + failed.message());
  if (input.size == 0) throw refuse("it is empty (0 bytes)" + wanted);
  errno = 0;
  input.stream.open(file, std::ios::binary);
  if (!input.stream) throw refuse("cannot be read: " + std::error_code(errno, std::generic_category()).message());
  return input;
}

std::string read_input(const std::filesystem::path& file, std::string_view expected) {
  InputFile input = open_input(file, expected);
  std::string bytes(input.size, '\0');
  if (!input.stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    throw FileError(file.string() + ": it cannot be read to its end");
  return bytes;
}

std::string extension_of(const std::filesystem::path& file) {
  std::string kind = file.extension().string();
  for (char& c : kind) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return kind;
}

std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string safe = "'";
  for (const char c : text) {
    if (safe.size() > most) return safe + "...'";
    const auto code = static_cast<unsigned char>(c);
    if (code >= 32 && code < 127)
      safe += c;
    else
      (safe += "\\x").append({digits[code >> 4], digits[code & 15]});
  }
  return safe + "'";
}

std::string with_plain_lines(std::string text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  std::size_t kept = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool carriage = text[at] == '\r';
    if (carriage && at + 1 < text.size() && text[at + 1] == '\n') continue;
    text[kept++] = carriage ? '\n' : text[at];
  }
  text.resize(kept);
  return text;
}

}  // namespace warploom
