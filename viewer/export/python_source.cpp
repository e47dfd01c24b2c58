#include "viewer/export/python_source.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/own/kit.h"
#include "gpu/own/unused.h"

namespace warploom {

namespace {

/// A text as Python says it, letter by letter.
std::string raw_text(std::string_view text) {
  std::string all = "(r\"\"\"";
  // What would end it, with the backslashes before it, stands in another kind of quotes.
  for (auto at = text.find("\"\"\""); at != text.npos; at = text.find("\"\"\"")) {
    const auto plain = text.substr(0, at).find_last_not_of('\\');
    const auto begin = plain == text.npos ? 0 : plain + 1;
    all.append(text.substr(0, begin)) += "\"\"\" '" + std::string(2 * (at - begin), '\\') + "\"\"\"' r\"\"\"";
    text.remove_prefix(at + 3);
  }
  return all.append(text) + "\"\"\")";
}

/// Bytes as Python's bytes.fromhex reads them.
std::string hexadecimal(std::string_view bytes) {
  constexpr std::size_t bytes_of_line = 58;
  std::string lines;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    lines += fmt::format("{:02x}", static_cast<unsigned char>(bytes[i]));
    if ((i + 1) % bytes_of_line == 0 || i + 1 == bytes.size()) lines += '\n';
  }
  return lines;
}

/// A table, packed.
std::string table_words(const std::vector<std::uint32_t>& table) {
  if (table.empty()) return "table = np.zeros(0, np.uint32)\n";
  std::string packed(compressBound(4 * table.size()), '\0');
  uLongf size = packed.size();
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(table.data()),
                4 * table.size(), Z_BEST_COMPRESSION) != Z_OK)
    throw Error("zlib does not pack a table");
  packed.resize(size);
  return fmt::format(
      "# What the map looks up: {} numbers of 32 bits, packed.\n"
      "table = np.frombuffer(zlib.decompress(bytes.fromhex(\"\"\"\n{}\"\"\")), \"<u4\")\n",
      table.size(), hexadecimal(packed));
}

/// The kernels, for NVRTC.
std::string kernels_of(const ExportParts& parts) {
  std::vector<std::string_view> files{"gpu/own/std/small.h"};
  if (!parts.products) files.emplace_back("gpu/own/std/tensor.h");
  files.emplace_back("gpu/core/run_on_device.h");
  files.insert(files.end(), parts.headers.begin(), parts.headers.end());
  std::string source = parts.products ? "#include <cuda_fp16.h>\n#include <mma.h>\n\n" : "";
  source += kit_listing(files, ListedFor::nvrtc);
  const std::string folder = parts.end.substr(0, parts.end.rfind('/'));
  const std::string shared = folder + "/export_device.inc", own = folder + "/export_own_device.inc";
  std::vector<std::string_view> ends{shared};
  if (parts.text) {
    source += "\nnamespace warploom::own {\n" + parts.text->source + "\n}  // namespace warploom::own\n";
    ends.emplace_back(own);
  }
  source += kit_listing(ends, ListedFor::nvrtc);
  source += "namespace warploom::exported {\n" + parts.track + "}  // namespace warploom::exported\n";
  const std::string_view kernels = parts.text ? "gpu/own/export_own_kernels.inc" : "gpu/own/export_kernels.inc";
  source += kit_listing(std::vector<std::string_view>{kernels}, ListedFor::nvrtc);
  return without_unused(source, parts.text ? parts.text->source : std::string_view{});
}

}  // namespace

std::string python_source(const ExportParts& parts, const ExportedRun& run, const std::string& what,
                          const std::string& file) {
  if (4 * static_cast<double>(parts.table.size()) > most_table_bytes) return {};
  const auto name = [](const std::string& of) { return of.empty() ? "None" : "\"" + of + "\""; };
  const auto truth = [](bool is) { return is ? "True" : "False"; };
  std::string source = fmt::format(
      "#!/usr/bin/env python3\n"
      "\"\"\"{}\n\n"
      "  python3 {} [STEPS]             on a GPU; needs NumPy and CuPy\n"
      "  python3 {} --serial [STEPS]    the NumPy code alone\n\n"
      "Runs the steps, checks each of them with NumPy code, and prints the seal of the state. The source of the\n"
      "kernels stands at the end; the map and the work are its last parts.\n"
      "\"\"\"\n\n"
      "import os\nimport sys\nimport zlib\n\nimport numpy as np\n\n",
      what, file, file);
  source += "# ---- What was exported\n\n" + parts.settings;
  source += fmt::format(
      "usual_steps, seed, density = {}, {}, {}\n"
      "start_file, points_file = {}, {}\n"
      "built_in, needs_toolkit = {}, {}\n\n",
      run.steps, run.seed, run.density, name(run.start_file), name(run.points_file), truth(!parts.text),
      truth(parts.products));
  source += kit_text("gpu/own/export.py");
  for (const std::string& one : parts.python) source += "\n" + std::string(kit_text(one));
  source += "\n" + std::string(kit_text("gpu/own/export_run.py"));
  source += "\n\n# ---- The kernels\n\nkernels = " + raw_text(kernels_of(parts)) + "\n\n" + table_words(parts.table);
  return source + "\nif __name__ == \"__main__\":\n    sys.exit(main(sys.argv[1:]))\n";
}

}  // namespace warploom
