#pragma once
#include <memory>
#include <string>

#include "tests/viewer/small_tour.h"
#include "tests/viewer/ui_driver.h"
#include "viewer/teach/tour_host.h"

namespace warploom {

/// Somebody who goes through a tour.
struct Tours : StageTest {
  std::unique_ptr<TourPlayer> player;

  void begin(const std::string& text = small_tour) {
    player = std::make_unique<TourPlayer>(read_tour_text(text, "small.toml", folder.path), stage);
    rest();
  }
  void go_on() {
    player->go_on(1 / 60.);
    d.frame();
  }
  void rest() {
    for (int i = 0; i < 2000 && !player->over(); ++i) {
      go_on();
      if (player->rests()) break;
    }
    for (int i = 0; i < 3; ++i) go_on();
  }
  void wish(TourWish what) {
    d.model.teaching.wish = what;
    rest();
  }
  const Strip& strip() { return d.model.teaching.strip; }
};

}  // namespace warploom
