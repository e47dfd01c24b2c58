#include <gtest/gtest.h>

#include "gpu/core/error.h"
#include "gpu/tracks/faceted.h"

// Facets: found by their type, where they are offered, and nowhere else.

namespace warploom {
namespace {

struct Loud {
  virtual int volume() const = 0;

 protected:
  ~Loud() = default;
};
struct Bright {
  virtual int light() const = 0;

 protected:
  ~Bright() = default;
};

struct Part final : Bright {
  int light() const override { return 7; }
};

class Thing final : public Faceted, public Loud {
 public:
  explicit Thing(bool loud) {
    if (loud) offer<Loud>(*this);
    offer<Bright>(part_);
  }
  int volume() const override { return 11; }

 private:
  Part part_;
};

TEST(Faceted, ItselfAndAPartAreFoundByType) {
  const Thing thing(true);
  ASSERT_NE(thing.facet<Loud>(), nullptr);
  EXPECT_EQ(thing.facet<Loud>()->volume(), 11);
  EXPECT_EQ(thing.need<Bright>().light(), 7);
}

TEST(Faceted, WhatIsNotOfferedIsNull) {
  const Thing thing(false);
  EXPECT_EQ(thing.facet<Loud>(), nullptr);
  EXPECT_EQ(thing.facet<Part>(), nullptr) << "a facet is its abstract class, not who is behind it";
  EXPECT_THROW(thing.need<Loud>(), Error);
}

TEST(Faceted, IsNeitherCopiedNorMoved) {
  EXPECT_FALSE(std::is_copy_constructible_v<Thing>);
  EXPECT_FALSE(std::is_move_constructible_v<Thing>);
}

}  // namespace
}  // namespace warploom
