#include <fmt/format.h>

#include "gpu/scenes/irregular/pictures/tasks_colours.h"
#include "gpu/scenes/irregular/tracks/tasks_track.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

CardOf<TasksFacet> tasks_card;

namespace {

std::string block_time_title(const Index3& at) { return fmt::format("block {} at {:.2f} \u00b5s", at.x, at.y / 1e3); }

}  // namespace

const SceneParts& tasks_parts() {
  static const SceneParts parts{
      .cards = {card_of_active<TasksFacet, tasks_card>(Card::Panel::right)},
      .colours = {{task_colours::generation, "generation", "generation", "how far a task is from the first ones"},
                  {task_colours::worker, "worker", "block", "which block does a task, by its number mod 7"}},
      .spaces = {{task_space, "N", true}, {block_time_space, "BLOCK,NANOSECONDS", false, block_time_title}},
      .terms = {{"critical path",
                 "The longest chain of tasks of which each makes the next: however many blocks there are, no "
                 "schedule ends sooner."},
                {"deque", "A queue with two ends: its owner puts and takes at one, thieves take at the other."},
                {"generation", "Tasks that are as many steps away from the first tasks."},
                {"look in vain", "A block asks for a task where there is none."},
                {"makespan", "The time from the start until the last block is through."},
                {"modelled clock",
                 "Times of a nominal GPU: the schedule of the real tasks is computed on the host, the same in every "
                 "run. They are no measurement."},
                {"task", "Work for one block, which may make further tasks."},
                {"work stealing",
                 "Each block keeps its own tasks; a block that has none left takes the oldest of another."}},
  };
  return parts;
}

}  // namespace warploom
