#include "viewer/cli/draw_anew.h"

#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "viewer/base/say.h"

namespace warploom {
namespace {

constexpr const char* mark = "WARPLOOM_CONTEXT_LOST";
bool anew = false;

}  // namespace

void draw_anew(const Options& options) {
  if (anew) return;
  say("the graphics driver reset the drawing context; the session is saved, and drawn in software from here on");
  // Read by Mesa and by the dispatching libraries of GLX and EGL as they are loaded.
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  setenv("__GLX_VENDOR_LIBRARY_NAME", "mesa", 1);
  if (const char* mesa = "/usr/share/glvnd/egl_vendor.d/50_mesa.json"; access(mesa, R_OK) == 0)
    setenv("__EGL_VENDOR_LIBRARY_FILENAMES", mesa, 1);
  setenv(mark, "1", 1);
  std::vector<std::string> words{"warploom", "view", "--backend", options.backend};
  if (!options.class_folder.empty()) words.insert(words.end(), {"--class", options.class_folder});
  std::vector<char*> given;
  for (auto& word : words) given.push_back(word.data());
  given.push_back(nullptr);
  execv("/proc/self/exe", given.data());
}

std::string told_of_lost_context() {
  if (!std::getenv(mark)) return {};
  anew = true;
  unsetenv(mark);
  return "The graphics driver reset the drawing context, as after a fault on the device. Nothing is lost; pictures are "
         "drawn in software until Warploom is started again.";
}

}  // namespace warploom
