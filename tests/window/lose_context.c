// Preloaded by window_test.py: the driver says once that it reset the context, as soon as the file that
// WARPLOOM_TEST_RESET names is there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*Function)(void);

static unsigned status(void) {
  const char* file = getenv("WARPLOOM_TEST_RESET");
  return file && unlink(file) == 0 ? 0x8253 : 0;  // GL_GUILTY_CONTEXT_RESET
}

Function glfwGetProcAddress(const char* name) {
  if (!strcmp(name, "glGetGraphicsResetStatus")) return (Function)status;
  Function (*real)(const char*) = (Function(*)(const char*))dlsym(RTLD_NEXT, "glfwGetProcAddress");
  return real(name);
}
