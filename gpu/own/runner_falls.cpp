// What became of an own map that fell: told by what its process wrote down.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <tuple>

#include "gpu/core/format.h"
#include "gpu/own/runner.h"

namespace warploom {

double own_patience() {
  const char* seconds = std::getenv("WARPLOOM_OWN_PATIENCE");
  const double given = seconds ? std::atof(seconds) : 0;
  return 1000 * (given > 0 ? given : 2);
}

OwnFault OwnRunner::told(bool in_time) const {
  OwnFault fault;
  const own::Signals& told = *signals_;
  const bool written = told.fallen == 2;
  const auto is = [&](const char* kind, const std::string& text) {
    fault.kind = kind;
    fault.text = text;
  };
  if (!in_time) {
    is("time", fmt::format("no end within {:.1f} s", own_patience() / 1000));
  } else if (!written) {
    is("end", "the map ended its process");
  } else if (told.signal == 0) {
    const std::string what = valid_utf8({told.what, strnlen(told.what, sizeof told.what)});
    const auto colon = what.find(':');
    is(what.substr(0, colon).c_str(), colon == what.npos ? what : what.substr(colon + 1));
  } else {
    switch (told.signal) {
      case SIGFPE:
        is("division", "division by zero");
        break;
      case SIGSYS:
        is("call", "a system call");
        break;
      case SIGSEGV:
      case SIGBUS: {
        const std::uint64_t apart = told.address > told.stack ? told.address - told.stack : told.stack - told.address;
        if (apart < (64 << 10))
          is("stack", "the stack is full: recursion without end?");
        else
          is("address", fmt::format("memory that is not there, at {:#x}", told.address));
        break;
      }
      default:
        is("undefined", "a trap");
    }
  }
  if (written) {
    if (fault.kind != "call" && fault.kind != "end") std::tie(fault.line, fault.file) = place_of_fall();
    if (told.launch >= 0 && told.launch < shape_.count && told.launch < own::most_launches) {
      const Index3 grid = shape_.grids[told.launch];
      if (told.block < volume(grid)) fault.block = unfold(told.block, grid);
    }
  }
  return fault;
}

std::pair<std::optional<int>, std::string> OwnRunner::place_of_fall() const {
  std::vector<std::string> addresses[2];
  const int count = std::clamp(signals_->frame_count, 0, own::Signals::most_frames);
  for (int i = 0; i < count; ++i) {
    // The library that begins last before it. A return address is one past its call.
    const std::uint64_t at = signals_->frames[i] - 1;
    const int which = at >= base_[1] && (at < base_[0] || base_[1] > base_[0]) ? 1 : 0;
    if (at < base_[which]) continue;
    for (int library = 0; library < 2; ++library)
      addresses[library].push_back(fmt::format("{:#x}", library == which ? at - base_[which] : ~std::uint64_t{0}));
  }
  // By how far in: of the map's text and of the rule's, the innermost.
  std::pair<std::optional<int>, std::string> found;
  auto innermost = ~std::size_t{0};
  const auto look = [&](const OwnSource& text, const std::string& file) {
    const auto checked = own_lines(compiled_.checked, text.file, addresses[0]),
               trusted = own_lines(compiled_.trusted, text.file, addresses[1]);
    for (std::size_t i = 0; i < std::min({checked.size(), trusted.size(), innermost}); ++i)
      if (const int line = std::max(checked[i], trusted[i]); line > 0) {
        innermost = i;
        found = {line, file};
      }
  };
  look(text_, "");
  if (rule_) look(*rule_, rule_->file);
  if (found.first) return found;
  // A loop that does nothing is an instruction without a line: at least the function, where it can be but one.
  std::optional<int> only;
  const std::vector<std::string> asked =
      asking_launches_ ? std::vector<std::string>{"grid", "threads", "launches", "turns"} : std::vector{text_.form};
  for (const auto& name : asked)
    if (const auto place = text_.functions.find(name); place != text_.functions.end()) {
      if (only) return {};
      only = place->second;
    }
  return {only, ""};
}

}  // namespace warploom
