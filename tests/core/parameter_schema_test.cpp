#include "gpu/core/parameter_schema.h"

#include <limits>

#include "tests/files/files.h"

namespace warploom {
namespace {

/// One parameter of each kind.
struct Settings {
  std::int64_t level = 4;
  std::uint64_t seed = 1;
  double density = .5;
  std::string title = "t", file, fractal = "gasket";
  std::vector<std::string> tracks{"a"};
  Describer described;
  Settings() {
    described.section("Domain");
    described.integer("level", "Level", level, 0, 16, "levels");
    described.natural("seed", "Seed", seed, "seed");
    described.section("State");
    described.real("density", "Density", density, 0, 1, "density");
    described.text("title", "Title", title, "title");
    described.path("load", "Load", file, "file");
    described.choice("fractal", "Fractal", fractal, {{"gasket", "", ""}, {"carpet", "", ""}}, "which")
        .taking({".toml"});
    described.list("tracks", "Tracks", tracks, {{"a", "", ""}, {"b", "", ""}, {"c", "", ""}}, 1, 2, "which");
  }
  const Parameter& operator[](const std::string& key) const {
    for (const auto& parameter : described.parameters)
      if (parameter.key == key) return parameter;
    throw std::out_of_range(key);
  }
};

TEST(Describe, GetsSetsAndRemembersThePreset) {
  Settings settings;
  ASSERT_EQ(settings.described.parameters.size(), 7u);
  EXPECT_EQ(settings["level"].section, "Domain");
  EXPECT_EQ(settings["density"].section, "State");
  settings["level"].set(settings["level"].parse("9"));
  EXPECT_EQ(settings.level, 9);
  EXPECT_EQ(std::get<std::int64_t>(settings["level"].get()), 9);
  EXPECT_EQ(std::get<std::int64_t>(settings["level"].preset), 4);
  settings["tracks"].set(settings["tracks"].parse("c,a"));
  EXPECT_EQ(settings.tracks, (std::vector<std::string>{"c", "a"}));
  settings["load"].set(settings["load"].parse(""));
  EXPECT_EQ(settings.file, "");
}

TEST(Describe, RefusesWithKeyRangeAndNearest) {
  const Settings settings;
  const auto refused = [&](const char* key, const std::string& text, std::initializer_list<std::string_view> parts) {
    SCOPED_TRACE(std::string(key) + "=" + text);
    const std::string why = message_of<UsageError>([&] { (void)settings[key].parse(text); });
    expect_parts(why, {key});
    expect_parts(why, parts);
  };
  for (const auto* bad :
       {"-1", "17", "x", "", "1.5", "4 ", " 4", "0x4", "99999999999999999999", "-99999999999999999999"})
    refused("level", bad, {"0 to 16"});
  for (const auto* bad : {"-0.1", "1.0001", "nan", "-nan", "inf", "-inf", "half", "", "0.5x", "1e999"})
    refused("density", bad, {"0 to 1"});
  for (const auto* bad : {"-1", "18446744073709551616", "1e3", "", "seed"}) refused("seed", bad, {"2^64 - 1"});
  refused("fractal", "gaskett", {"did you mean 'gasket'", "carpet"});
  refused("tracks", "a,bb", {"'bb'", "did you mean 'b'"});
  for (const auto* bad : {"", "a,", ",a", ","}) refused("tracks", bad, {});
  refused("tracks", "a,b,c", {"at most 2"});
}

TEST(Describe, TakesTheEndsOfRanges) {
  const Settings settings;
  EXPECT_EQ(std::get<std::int64_t>(settings["level"].parse("0")), 0);
  EXPECT_EQ(std::get<std::int64_t>(settings["level"].parse("16")), 16);
  EXPECT_EQ(std::get<double>(settings["density"].parse("1")), 1);
  EXPECT_EQ(std::get<double>(settings["density"].parse("1e-3")), .001);
  EXPECT_EQ(std::get<std::uint64_t>(settings["seed"].parse("18446744073709551615")), ~std::uint64_t{0});
  EXPECT_EQ(std::get<std::string>(settings["fractal"].parse("/tmp/my mask.toml")), "/tmp/my mask.toml");
}

TEST(Describe, ChecksKinds) {
  const Settings settings;
  EXPECT_THROW(settings["level"].check(Value(std::uint64_t{4})), UsageError);
  EXPECT_THROW(settings["level"].check(Value(4.0)), UsageError);
  EXPECT_THROW(settings["seed"].check(Value(std::int64_t{4})), UsageError);
  EXPECT_THROW(settings["density"].check(Value(std::int64_t{0})), UsageError);
  EXPECT_THROW(settings["fractal"].check(Value(std::vector<std::string>{"gasket"})), UsageError);
  EXPECT_THROW(settings["tracks"].check(Value(std::string("a"))), UsageError);
  EXPECT_THROW(settings["title"].check(Value(1.0)), UsageError);
  EXPECT_THROW(settings["load"].check(Value(1.0)), UsageError);
  for (const auto& parameter : settings.described.parameters) EXPECT_NO_THROW(parameter.check(parameter.get()));
}

TEST(Describe, TextReadsBackToTheSameValue) {
  Settings settings;
  const auto again = [](const Parameter& parameter, const Value& value) {
    EXPECT_EQ(parameter.parse(to_text(value)), value) << to_text(value);
  };
  for (const std::uint64_t seed : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63})
    again(settings["seed"], Value(seed));
  std::int64_t wide = 0;
  double real = 0;
  Describer extremes;
  constexpr double most = std::numeric_limits<double>::max();
  extremes.integer("wide", "", wide, -0x1p63, 0x1p63, "");
  extremes.real("real", "", real, -most, most, "");
  for (const std::int64_t value :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), std::int64_t{-1}})
    again(extremes.parameters[0], Value(value));
  using Limits = std::numeric_limits<double>;
  for (const double value : {0., -0., .1, 1. / 3, Limits::min(), Limits::denorm_min(), most, -most, Limits::epsilon(),
                             0x1.fffffffffffffp-1, 1e22, 123456789.125})
    again(extremes.parameters[1], Value(value));
  for (const auto& parameter : settings.described.parameters) again(parameter, parameter.get());
}

TEST(Describe, RangesInWords) {
  const Settings settings;
  EXPECT_EQ(settings["level"].range(), "0 to 16");
  EXPECT_EQ(settings["fractal"].range(), "gasket, carpet, or a .toml file");
  expect_parts(settings["tracks"].range(), {"1 to 2 of a, b, c"});
}

}  // namespace
}  // namespace warploom
