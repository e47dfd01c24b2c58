#include "viewer/teach/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warploom {

namespace {

/// "2.7", "12": as precise as a guess deserves.
std::string factor_text(double factor) {
  return factor < 10 ? fmt::format("{:.1f}", factor) : fmt::format("{:.0f}", factor);
}

}  // namespace

const char* name(Question::Kind kind) {
  switch (kind) {
    case Question::Kind::number:
      return "number";
    case Question::Kind::choice:
      return "choice";
    case Question::Kind::place:
      return "place";
    case Question::Kind::ratio:
      return "ratio";
  }
  return "";
}

Found judge_number(const Question& question, double given, double truth) {
  const std::string said = fmt::format("You said {}. ", given);
  if (given == truth) return {Found::Kind::exact, "Exactly."};
  const auto way = [&](double from, double to) {
    return question.logarithmic && from > 0 && to > 0 ? std::abs(std::log(from / to)) : std::abs(from - to);
  };
  if (way(given, truth) <= .1 * way(question.low, question.high))
    return {Found::Kind::close, said + fmt::format("Close: it is {}.", truth)};
  if (given > 0 && truth > 0) {
    const double factor = given > truth ? given / truth : truth / given;
    return {Found::Kind::off, said + fmt::format("It is {}: {} times too {}.", truth, factor_text(factor),
                                                 given > truth ? "high" : "low")};
  }
  return {Found::Kind::off, said + fmt::format("It is {}.", truth)};
}

Found judge_ratio(double given, const MeasuredRatio& measured, const std::string& letter) {
  if (measured.pairs < least_pairs)
    return {Found::Kind::none, fmt::format("Not yet: {} of {} pairs.", measured.pairs, least_pairs)};
  const double width = measured.high - measured.low;
  if (measured.first > 0 && std::abs(measured.first - measured.last) > std::max(width, .02 * measured.median))
    return {Found::Kind::none,
            fmt::format("You said {:.3g}. The machine is not steady: close what else runs, and answer "
                        "once more with Again.",
                        given)};
  const std::string was =
      fmt::format("{} was {:.2f} [{:.2f}, {:.2f}] times as fast", letter, measured.median, measured.low, measured.high);
  // A guess within 5 % of the median is right, however narrow the interval is.
  const double low = std::min(measured.low, .95 * measured.median),
               high = std::max(measured.high, 1.05 * measured.median);
  if (given >= low && given <= high) return {Found::Kind::close, "Inside what was measured. " + was + "."};
  // Which is faster was asked, too, and cannot be told. A map against itself is up to 5 % apart, in narrow intervals,
  // by where its states lie and which runs first.
  if (low <= 1 && high >= 1) return {Found::Kind::none, fmt::format("This run cannot tell which is faster: {}.", was)};
  const double factor = given > measured.median ? given / measured.median : measured.median / given;
  return {Found::Kind::off, fmt::format("{}; you said {:.3g}: {} times too {}.", was, given, factor_text(factor),
                                        given > measured.median ? "high" : "low")};
}

}  // namespace warploom
