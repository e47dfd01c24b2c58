// Read after the text of an own map: says in plain words what is wrong with its functions, and gives the code its
// names. `Scene` is the scene's: Arguments, World, trusted(...). No #pragma once: it is a part of a source, not a
// header.

namespace warploom::own {

static_assert(HasPlace<Domain> || HasCell<Domain>,
              "a map defines `Place place(Block b, Domain d)` or `Place cell(Thread t, Domain d)`");
static_assert(!(HasPlace<Domain> && HasCell<Domain>), "a map defines `place` or `cell`, not both");
template <class D, class Answer>
inline constexpr bool is_place = std::is_same_v<std::remove_cvref_t<Answer>, Place>;
template <class D>
constexpr bool answers_place() {
  if constexpr (HasPlace<D>) return is_place<D, decltype(place(Block{}, D{}))>;
  return true;
}
template <class D>
constexpr bool answers_cell() {
  if constexpr (HasCell<D>) return is_place<D, decltype(cell(Thread{}, D{}))>;
  return true;
}
template <class D>
constexpr bool answers_grid() {
  if constexpr (HasGridOfLaunch<D>)
    return is_place<D, decltype(grid(D{}, 0))>;
  else if constexpr (HasGrid<D>)
    return is_place<D, decltype(grid(D{}))>;
  return true;
}
template <class D>
constexpr bool answers_threads() {
  if constexpr (HasThreads<D>) return is_place<D, decltype(threads(D{}))>;
  return true;
}
static_assert(answers_place<Domain>(), "`place` answers with a Place");
static_assert(answers_cell<Domain>(), "`cell` answers with a Place");
static_assert(answers_grid<Domain>(), "`grid` answers with a Place");
static_assert(answers_threads<Domain>(), "`threads` answers with a Place");
static_assert(!HasThreads<Domain> || HasCell<Domain>,
              "`threads` is of maps with `cell`; with `place` a block has the threads of the way inside it");

#define WARPLOOM_OWN_EXPORT extern "C" __attribute__((visibility("default")))

WARPLOOM_OWN_EXPORT std::size_t own_size() { return sizeof(Scene::Arguments); }

WARPLOOM_OWN_EXPORT void own_launches(const Arguments* with, Launches* all) {
  const auto& own = *static_cast<const Scene::Arguments*>(with);
  *all = launches_of(Domain(Scene::domain_of(own)), Scene::threads_of(own));
}

WARPLOOM_OWN_EXPORT void own_run(Job job, const Arguments* with, const Launches* shape, int launch,
                                 std::uint64_t first_visit, std::uint64_t first, std::uint64_t last, Whereabouts* at) {
  const auto& own = *static_cast<const Scene::Arguments*>(with);
  const Scene::World world(own, *shape);
#ifdef WARPLOOM_OWN_CHECKED
  if (job == Job::judge)
    run(Judge<Scene::World>{world, own, launch, shape->turns, first_visit}, *shape, launch, first, last, *at);
  else
    Scene::step<true>(own, world, *shape, launch,
                      [&](const auto& program) { run(program, *shape, launch, first, last, *at); });
#else
  (void)job;
  (void)first_visit;
  Scene::step<false>(own, world, *shape, launch,
                     [&](const auto& program) { run(program, *shape, launch, first, last, *at); });
#endif
}

WARPLOOM_OWN_EXPORT void own_ask(const Arguments* with, const Launches* shape, const Visit* visit, Answered* answer) {
  const auto& own = *static_cast<const Scene::Arguments*>(with);
  const Scene::World world(own, *shape);
  const Asked<Scene::World, true> asked{world, true};
  const Entry entry = asked.enter(visit->launch, visit->block, visit->turn);
  *answer = {};
  if (entry.fate != Fate::serves) {
    answer->cell = {entry.to.x, entry.to.y, entry.to.z};
    return;
  }
  if constexpr (HasPlace<Domain>) {
    answer->has_block = true;
    answer->first = world.first_cell(entry.to);
  }
  warploom::Thread thread;
  thread.at = visit->thread;
  thread.index = static_cast<unsigned>(linear_index(visit->thread, shape->threads));
  answer->serves = asked.find(entry, thread, shape->threads, answer->cell) == Fate::serves;
}

}  // namespace warploom::own
