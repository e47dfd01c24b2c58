#include "gpu/own/compile_cpp.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <regex>
#include <thread>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/core/stopwatch.h"
#include "gpu/own/compile_cuda.h"
#include "gpu/own/compiling.h"
#include "gpu/own/kept.h"
#include "gpu/own/kit.h"

namespace warploom {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
/// NVRTC's libraries may come from a cold disk.
constexpr double most_seconds = 10, most_seconds_of_first = 30;
/// How files of ours are named to compilers, so that no name is one of the user's.
constexpr const char* ours = "warploom/";

/// "g++ (Debian 12.2.0-14) 12.2.0" and the like, to "g++ 12.2.0".
CppCompiler known_as(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, CppCompiler> known;
  std::error_code none;
  const std::string key = fmt::format("{} {}", path, fs::last_write_time(path, none).time_since_epoch().count());
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const std::string version = said({path, "--version"}), first = version.substr(0, version.find('\n'));
  CppCompiler compiler{path, {}, first.find("clang") != std::string::npos};
  std::smatch number;
  static const std::regex numbers(R"((\d+\.\d+(\.\d+)?))");
  std::string last;
  for (std::string rest = first; std::regex_search(rest, number, numbers); rest = number.suffix()) last = number[1];
  compiler.name = (compiler.clang ? "clang++ " : "g++ ") + last;
  if (!last.empty())
    known[key] = compiler;
  else
    compiler.name = path;
  return compiler;
}

std::string source_of(const OwnSource& text, const OwnScene& scene, bool device) {
  std::vector<std::string_view> files{"gpu/own/std/small.h"};
  if (device && !scene.products) files.emplace_back("gpu/own/std/tensor.h");
  if (device) files.emplace_back("gpu/own/loops.h");
  if (scene.notes_values) files.emplace_back("gpu/own/seen.h");
  files.insert(files.end(), scene.headers.begin(), scene.headers.end());
  if (!device && scene.products) files.emplace_back("gpu/core/product.cpp");  // what tensor cores do
  std::string source = device && scene.products ? "#include <cuda_fp16.h>\n#include <mma.h>\n" : "";
  if (scene.notes_values) source += "#define WARPLOOM_OWN_NOTES_VALUES\n";
  if (!scene.constants.empty()) source += "#define WARPLOOM_OWN_CONSTANTS(run) " + scene.constants + "\n";
  source += kit_source(files, ours);
  source += "namespace warploom::own { WARPLOOM_OWN_STATE(" + scene.state + "); }\n";
  const auto add = [&](const OwnSource& own) {
    const bool is_rule = own.form == "rule";
    source += is_rule ? "namespace warploom::own::of_rule {\n" : "namespace warploom::own {\n";
    // Of checked code of a device every turn of a loop counts.
    if (device)
      source +=
          "#ifdef WARPLOOM_OWN_CHECKED\n"
          "#define for(...) for (__VA_ARGS__) if (warploom::own::turn(), false) {} else\n"
          "#define while(...) while (warploom::own::turn(), static_cast<bool>(__VA_ARGS__))\n#endif\n";
    source += "#line 1 \"" + own.file + "\"\n" + own.source;
    // On the line after the text, so that what it leaves open is told at its end.
    source += "\n}\n#line 1 \"" + std::string(ours) + "uses\"\n";
    if (device) source += "#undef for\n#undef while\n";
    if (is_rule) source += kit_source(std::vector<std::string_view>{"gpu/own/rule.inc"}, ours);
  };
  if (scene.rule && scene.rule.get() != &text) add(*scene.rule);
  add(text);
  source += "namespace warploom::own { " + scene.uses + " }\n#define WARPLOOM_OWN_FORM_" + text.form + "\n";
  const char* tail = text.form == "rule" ? "gpu/own/rule_tail.inc" : "gpu/own/tail.inc";
  source += kit_source(std::vector<std::string_view>{tail}, ours);
  source += "#ifdef WARPLOOM_OWN_FAULTS\n" + kit_source(std::vector<std::string_view>{"gpu/own/faults.inc"}, ours) +
            "#endif\n";
  return source;
}

/// `checked`: with every test; else as the program itself is built. `by_state`: what it does depends on the state, so
/// that a step that was checked says nothing of the next; then the cheap tests stay.
std::vector<std::string> flags_of(const CppCompiler& compiler, bool checked, bool by_state) {
  std::vector<std::string> flags{"-x", "c++", "-std=c++20", "-nostdinc++", "-w", "-g1",
                                 // addr2line of Debian 12 names another file by the tables of version 5.
                                 "-gdwarf-4", "-fPIC", "-shared", "-nostdlib", "-fno-exceptions", "-fno-rtti",
                                 "-fvisibility=hidden", "-ffp-contract=off", "-fno-omit-frame-pointer",
                                 // Else an endless loop without effect is compiled away, and the map is right.
                                 "-fno-finite-loops", "-fstack-clash-protection",
                                 compiler.clang ? "-ferror-limit=5" : "-fmax-errors=5"};
  const auto add = [&](std::initializer_list<const char*> more) {
    flags.insert(flags.end(), more.begin(), more.end());
  };
  if (compiler.clang)
    add({"-Wno-c++11-narrowing"});  // what g++ only warns of
  else                              // -g1 tells of no variables, and g++ would spend a quarter of its time on them
    add({"-fno-var-tracking", "-fno-var-tracking-assignments"});
  // Else g++ lets the last array of a structure be longer than it is.
  const char* const bounds = compiler.clang ? "-fsanitize=bounds" : "-fsanitize=bounds-strict";
  if (checked) {
    add({"-O1", "-DWARPLOOM_OWN_CHECKED", "-DWARPLOOM_OWN_FAULTS", "-fsanitize=undefined,float-cast-overflow",
         "-fno-sanitize-recover=all", "-ftrivial-auto-var-init=pattern"});
    add({compiler.clang ? "-fno-sanitize=vptr,alignment,function" : "-fno-sanitize=vptr,alignment", bounds});
  } else {
    add({"-O3"});
    if (by_state)
      add({"-DWARPLOOM_OWN_FAULTS", "-fsanitize=integer-divide-by-zero,shift,return", bounds,
           "-fno-sanitize-recover=all"});
  }
  return flags;
}

}  // namespace

CppCompiler find_cpp_compiler() {
  const char* wanted = std::getenv("WARPLOOM_CXX");
  const auto none = [](const std::string& what) {
    return Error("no C++ compiler (" + what + "): install one, e.g. sudo apt install g++");
  };
  if (wanted && *wanted) {
    const std::string path = which(wanted);
    if (path.empty()) throw none(std::string("WARPLOOM_CXX=") + wanted);
    return known_as(path);
  }
  for (const char* name : {WARPLOOM_OWN_COMPILER, "c++", "g++", "clang++"})
    if (const std::string path = which(name); !path.empty()) return known_as(path);
  throw none("c++, g++ or clang++");
}

std::vector<int> own_lines(const fs::path& compiled, const std::string& file,
                           const std::vector<std::string>& addresses) {
  std::vector<int> lines(addresses.size(), 0);
  const std::string program = which("addr2line");
  if (program.empty() || addresses.empty()) return lines;
  // Of each address its own line "0x...", then the functions that are inlined there, the innermost first.
  std::vector<std::string> words{program, "-a", "-i", "-e", compiled.string()};
  words.insert(words.end(), addresses.begin(), addresses.end());
  const std::string output = said(words);
  std::size_t of = 0;
  for (std::size_t begin = 0; begin < output.size();) {
    const auto end = std::min(output.find('\n', begin), output.size());
    const std::string_view line = std::string_view(output).substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("0x")) {
      ++of;
      continue;
    }
    const auto colon = line.rfind(':'), slash = line.rfind('/', colon);
    if (of == 0 || of > lines.size() || colon == line.npos) continue;
    const auto name = line.substr(slash == line.npos ? 0 : slash + 1, colon - (slash == line.npos ? 0 : slash + 1));
    // Ours are named warploom/gpu/...
    if (name == file && line.find("/gpu/") == line.npos && lines[of - 1] == 0)
      lines[of - 1] = std::atoi(std::string(line.substr(colon + 1)).c_str());
  }
  return lines;
}

namespace {

/// A compiler, as both parts of an own map are made by it.
struct Making {
  std::string compiler;                    ///< its name
  std::string path;                        ///< that says more of which it is
  std::string source, extension;           ///< names of files
  std::vector<std::string> flags[2] = {};  ///< trusted, checked
  /// What is run: flags, source, output.
  std::function<std::vector<std::string>(const std::vector<std::string>&, const std::string&, const std::string&)>
      words = {};
};

Making by_cpp(bool by_state) {
  const CppCompiler compiler = find_cpp_compiler();
  Making making{compiler.name, compiler.path, "own.cpp", ".so"};
  for (const bool checked : {false, true}) making.flags[checked] = flags_of(compiler, checked, by_state);
  making.words = [path = compiler.path](const auto& flags, const auto& source, const auto& output) {
    std::vector<std::string> words{path};
    words.insert(words.end(), flags.begin(), flags.end());
    words.insert(words.end(), {"-o", output, source, "-Wl,-z,defs", "-lm", "-lc"});
    return words;
  };
  return making;
}

Making by_nvrtc(bool products) {
  const DeviceCompiler compiler = find_device_compiler();
  Making making{compiler.name, compiler.library, "own.cu", ".cubin"};
  for (const bool checked : {false, true}) {
    making.flags[checked] = {"-default-device", "-std=c++20",          "-arch=" + compiler.architecture,
                             "-minimal",        "-diag-suppress=2282", "-no-cache"};
    if (checked) {
      making.flags[checked].emplace_back("-DWARPLOOM_OWN_CHECKED");
      // Four kernels side by side. Not -Ofc, which took longer than a minute over looked-up cells of compact storage.
      if (compiler.version >= 13) making.flags[checked].emplace_back("-split-compile=0");
    }
    if (products) making.flags[checked].push_back("-I" + cuda_headers());
  }
  making.words = [library = compiler.library](const auto& flags, const auto& source, const auto& output) {
    std::vector<std::string> words{own_host().string(), "--nvrtc", library, source, output};
    words.insert(words.end(), flags.begin(), flags.end());
    return words;
  };
  return making;
}

}  // namespace

CompiledOwn compile_own(const OwnSource& text, const OwnScene& scene, Backend backend,
                        const std::atomic<bool>* cancel) {
  const bool device = backend == Backend::cuda;
  const Making making =
      device ? by_nvrtc(scene.products) : by_cpp(scene.rule || text.form == "kernel" || text.form == "rule");
  const std::string source = source_of(text, scene, device);
  CompiledOwn compiled;
  compiled.compiler = making.compiler;
  const auto begin = Clock::now();
  static std::atomic<bool> device_was_compiled_for{false};
  const double most = device && !device_was_compiled_for ? most_seconds_of_first : most_seconds;
  struct Part {
    bool checked;
    fs::path& to;
    std::string name = {}, output = {};
    std::unique_ptr<Compiling> running = {};
  };
  std::vector<Part> parts;
  parts.push_back({true, compiled.checked});
  if (!scene.notes_values) parts.push_back({false, compiled.trusted});
  compiled.cached = true;
  for (Part& part : parts) {
    const std::uint64_t hash =
        text_hash(source, text_hash(join(making.flags[part.checked], " "), text_hash(making.compiler + making.path)));
    // Two of them: 64 bits of one are few for what is run unasked.
    part.name = fmt::format("{:016x}{:016x}{}", hash, text_hash(source, key_hash(1, hash)), making.extension);
    part.to = find_kept(part.name);
    compiled.cached = compiled.cached && !part.to.empty();
  }
  const char* const wanted = std::getenv("WARPLOOM_OWN_KEEP");
  const bool copies = wanted && *wanted;  // what was made is to be seen, so it is made anew
  if (compiled.cached && !copies) return compiled;
  compiled.cached = false;

  const StagingFolder folder(kept_folder() / "compiling");
  const fs::path file = folder.path() / making.source;
  write_atomically(file, source);
  const auto copy_what_was_made = [&] {
    if (!copies) return;
    make_folder(wanted);
    std::error_code failed;
    fs::copy(folder.path(), wanted, fs::copy_options::recursive | fs::copy_options::overwrite_existing, failed);
    if (failed) throw FileError(std::string("WARPLOOM_OWN_KEEP=") + wanted + ": " + failed.message());
  };
  for (Part& part : parts) {
    part.output = folder.path() / (part.checked ? "checked" : "trusted");
    part.running = std::make_unique<Compiling>(
        making.words(making.flags[part.checked], file.string(), part.output + making.extension), part.output + ".txt");
  }
  while (!std::ranges::all_of(parts, [](const Part& part) { return part.running->over(); })) {
    if (cancel && cancel->load()) throw Cancelled();
    // The first error is enough.
    if (parts[0].running->over() && !parts[0].running->succeeded()) break;
    if (milliseconds_since(begin) > 1000 * most)
      throw FileError(fmt::format("{}:1: not compiled within {:.0f} s by {}", text.file, most, making.compiler));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (Part& part : parts) {
    if (!part.running->over()) continue;
    if (part.running->succeeded()) {
      part.to = keep(part.output + making.extension, part.name);
      continue;
    }
    std::string output = read_file(part.output + ".txt");
    if (device) output = nvrtc_messages(output);
    auto messages = own_messages(text, output);
    if (messages.empty() && scene.rule) messages = own_messages(*scene.rule, output);
    if (messages.empty())
      messages.push_back(fmt::format("{}:1: {} does not compile it: {}", text.file, making.compiler,
                                     valid_utf8(output.substr(0, std::min<std::size_t>(output.find('\n'), 200)))));
    copy_what_was_made();
    throw FileError(join(messages, "\n"));
  }
  copy_what_was_made();
  if (device) device_was_compiled_for = true;
  compiled.milliseconds = milliseconds_since(begin);
  return compiled;
}

}  // namespace warploom
