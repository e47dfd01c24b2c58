#include "viewer/cli/draw_anew.h"

#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "viewer/base/say.h"

namespace warploom {
namespace {

constexpr const char* mark = "WARPLOOM_CONTEXT_LOST";
// Read by Mesa and by the libraries of GLX and EGL that choose a driver, as they are loaded.
constexpr const char *software = "LIBGL_ALWAYS_SOFTWARE", *of_glx = "__GLX_VENDOR_LIBRARY_NAME",
                     *of_egl = "__EGL_VENDOR_LIBRARY_FILENAMES";
bool anew = false;

}  // namespace

void draw_anew(const Options& options) {
  if (anew) return;
  say("the graphics driver reset the drawing context; a new start of the program draws the session in software");
  setenv(software, "1", 1);
  setenv(of_glx, "mesa", 1);
  if (const char* mesa = "/usr/share/glvnd/egl_vendor.d/50_mesa.json"; access(mesa, R_OK) == 0) setenv(of_egl, mesa, 1);
  setenv(mark, "1", 1);
  std::vector<std::string> words{"warploom", "view", "--backend", options.backend};
  if (!options.class_folder.empty()) words.insert(words.end(), {"--class", options.class_folder});
  std::vector<char*> given;
  given.reserve(words.size() + 1);
  for (auto& word : words) given.push_back(word.data());
  given.push_back(nullptr);
  execv("/proc/self/exe", given.data());
}

void tell_of_lost_context(Model& model) {
  if (!std::getenv(mark)) return;
  anew = true;
  // Programs that this one starts, such as the user's editor, draw as they always do.
  for (const char* name : {mark, software, of_glx, of_egl}) unsetenv(name);
  const auto offer = model.offer;
  const std::string before = model.notice;
  model.tell(
      "The graphics driver reset the drawing context, as after a fault on the device. This is the session as it was; "
      "what was measured begins anew, and pictures are drawn in software until you start Warploom again." +
          (before.empty() ? "" : " " + before),
      true);
  model.offer = offer;
}

}  // namespace warploom
