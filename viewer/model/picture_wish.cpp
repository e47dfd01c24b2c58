#include "viewer/model/picture_wish.h"

#include <algorithm>

#include "viewer/model/model.h"

namespace warploom {

void ask_for_picture(Model& model) {
  if (model.picture_wanted) return model.tell("a picture is being saved", true);
  const auto simulation = model.scene_simulation();
  const std::size_t track = simulation ? std::min(model.active_track, simulation->size() - 1) : 0;
  const auto shown = simulation ? shown_picture(simulation->track(track), model.view, false) : std::nullopt;
  if (!shown) return model.tell("the tracks are being made: there is no picture yet", true);
  model.picture_asked =
      model.pointed.value_or(PictureWish{track, simulation->track(track).pictures()[*shown]->info().key, {}, {}});
  model.path_prompt = "picture";
}

}  // namespace warploom
