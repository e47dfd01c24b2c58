#include "viewer/gl/window.h"

#include <glad/gl.h>
// glad first: it stands in for the system's OpenGL header.
#include <GLFW/glfw3.h>

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "gpu/core/error.h"

namespace warploom::gl {
namespace {

int windows = 0;  // GLFW is one for the whole process: the last window ends it

std::string glfw_reason() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text ? text : "no reason given";
}

void leave_glfw() {
  if (--windows == 0) glfwTerminate();
}

/// What is done before the program ends because its X server is gone, and the thread that may do it.
struct LostDisplay {
  std::function<void()> save;
  std::thread::id thread;
};
LostDisplay lost_display;

/// Xlib ends the program when this returns. Another thread than the window's lets that one save first.
int save_at_lost_display(void*) {
  if (std::this_thread::get_id() != lost_display.thread) {
    std::this_thread::sleep_for(std::chrono::seconds(10));
  } else if (const auto save = std::exchange(lost_display.save, nullptr)) {
    save();
  }
  _exit(static_cast<int>(ExitCode::no_display));
}

Window* of(GLFWwindow* handle) { return static_cast<Window*>(glfwGetWindowUserPointer(handle)); }

void any_event(GLFWwindow* handle) {
  if (const Window* window = of(handle); window->on_any_event) window->on_any_event();
}

}  // namespace

namespace {

/// A size within what the largest screen has for windows.
void fit_screen(int& width, int& height) {
  int count = 0, most_width = 0, most_height = 0;
  GLFWmonitor** const screens = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    int x = 0, y = 0, wide = 0, high = 0;
    float scale_x = 1, scale_y = 1;
    glfwGetMonitorWorkarea(screens[i], &x, &y, &wide, &high);
    glfwGetMonitorContentScale(screens[i], &scale_x, &scale_y);
    most_width = std::max(most_width, static_cast<int>(static_cast<float>(wide) / scale_x));
    most_height = std::max(most_height, static_cast<int>(static_cast<float>(high) / scale_y));
  }
  if (most_width > 0) width = std::min(width, most_width);
  if (most_height > 0) height = std::min(height, most_height);
}

}  // namespace

Window::Window(const std::string& title, int width, int height, bool visible, bool fits) {
  if (!glfwInit())
    throw DisplayError("no display for a window: " + glfw_reason() +
                       ". Remedy: xvfb-run -a warploom, or `warploom run SCENE`, which needs no display");
  ++windows;
  if (fits) fit_screen(width, height);
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);  // everything here is painted in order
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "warploom");
  std::string problem;
  // A virtual display of a machine with an NVIDIA card may have no GLX that the card's driver can use, but EGL.
  for (const int interface : {GLFW_NATIVE_CONTEXT_API, GLFW_EGL_CONTEXT_API}) {
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, interface);
    // Without the wish to lose the context a driver that resets it ends the program; not all drivers know that wish.
    for (const int robustness : {GLFW_LOSE_CONTEXT_ON_RESET, GLFW_NO_ROBUSTNESS}) {
      glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, robustness);
      if (!handle_) handle_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    }
    if (!handle_ && problem.empty()) problem = glfw_reason();
  }
  if (handle_) {
    problem.clear();
    glfwMakeContextCurrent(handle_);
    if (gladLoadGL(glfwGetProcAddress) < GLAD_MAKE_VERSION(4, 5)) problem = "the driver offers less";
  }
  if (!problem.empty()) {
    if (handle_) glfwDestroyWindow(handle_);
    leave_glfw();
    throw DisplayError("no window with OpenGL 4.5 core: " + problem +
                       ". Remedy: install the graphics driver, or draw in software: LIBGL_ALWAYS_SOFTWARE=1 warploom");
  }
  glfwSetWindowUserPointer(handle_, this);
  listen();
}

void Window::on_display_lost(std::function<void()> save) {
  lost_display = {std::move(save), std::this_thread::get_id()};
  // GLFW opens Xlib when the program runs; elsewhere, as under Wayland, there is none to ask.
  void* xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (!xlib) return;
  using Handler = int (*)(void*);
  using Setter = Handler (*)(Handler);
  if (const auto set = reinterpret_cast<Setter>(dlsym(xlib, "XSetIOErrorHandler"))) set(save_at_lost_display);
}

Window::~Window() {
  lost_display.save = nullptr;
  glfwDestroyWindow(handle_);
  leave_glfw();
}

void Window::listen() {
  glfwSetKeyCallback(handle_, [](GLFWwindow* handle, int key, int, int action, int modifiers) {
    if (action == GLFW_PRESS) of(handle)->taps.pressed(key);
    if (const Window* window = of(handle); window->on_key) window->on_key(key, modifiers, action != GLFW_RELEASE);
    any_event(handle);
  });
  glfwSetFramebufferSizeCallback(handle_, [](GLFWwindow* handle, int, int) { any_event(handle); });
  glfwSetWindowRefreshCallback(handle_, [](GLFWwindow* handle) {
    if (const Window* window = of(handle); window->on_refresh) window->on_refresh();
    any_event(handle);
  });
  glfwSetDropCallback(handle_, [](GLFWwindow* handle, int count, const char** paths) {
    const Window* window = of(handle);
    for (int i = 0; i < count && window->on_drop; ++i) window->on_drop(paths[i]);
    any_event(handle);
  });
  glfwSetCharCallback(handle_, [](GLFWwindow* handle, unsigned) { any_event(handle); });
  glfwSetCursorPosCallback(handle_, [](GLFWwindow* handle, double, double) { any_event(handle); });
  glfwSetCursorEnterCallback(handle_, [](GLFWwindow* handle, int) { any_event(handle); });
  glfwSetMouseButtonCallback(handle_, [](GLFWwindow* handle, int, int, int) { any_event(handle); });
  glfwSetScrollCallback(handle_, [](GLFWwindow* handle, double, double) { any_event(handle); });
  glfwSetWindowFocusCallback(handle_, [](GLFWwindow* handle, int) { any_event(handle); });
  glfwSetWindowIconifyCallback(handle_, [](GLFWwindow* handle, int) { any_event(handle); });
  glfwSetWindowCloseCallback(handle_, [](GLFWwindow* handle) { any_event(handle); });
  glfwSetWindowContentScaleCallback(handle_, [](GLFWwindow* handle, float, float) { any_event(handle); });
}

void Window::poll() { glfwPollEvents(); }
void Window::wait(double seconds) { glfwWaitEventsTimeout(std::max(seconds, 1e-4)); }
void Window::wake() { glfwPostEmptyEvent(); }
void Window::swap() { glfwSwapBuffers(handle_); }
void Window::set_swap_interval(int interval) { glfwSwapInterval(interval); }
bool Window::should_close() const { return glfwWindowShouldClose(handle_) == GLFW_TRUE; }

Size Window::framebuffer_size() const {
  Size size;
  glfwGetFramebufferSize(handle_, &size.width, &size.height);
  return size;
}

Size Window::window_size() const {
  Size size;
  glfwGetWindowSize(handle_, &size.width, &size.height);
  return size;
}

float Window::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(handle_, &x, &y);
  return std::max({x, y, 1.f});  // a screen of few dots per inch is no reason for smaller words
}

GLFWmonitor* Window::monitor() const {
  if (GLFWmonitor* own = glfwGetWindowMonitor(handle_)) return own;
  int x = 0, y = 0, count = 0, best_area = -1;
  glfwGetWindowPos(handle_, &x, &y);
  const Size size = window_size();
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor* best = nullptr;
  for (int i = 0; i < count; ++i) {
    int left = 0, top = 0;
    glfwGetMonitorPos(monitors[i], &left, &top);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
    if (!mode) continue;
    const int wide = std::min(x + size.width, left + mode->width) - std::max(x, left);
    const int high = std::min(y + size.height, top + mode->height) - std::max(y, top);
    const int area = std::max(wide, 0) * std::max(high, 0);
    if (area > best_area) best = monitors[i], best_area = area;
  }
  return best;
}

double Window::refresh_rate() const {
  GLFWmonitor* shown_on = monitor();
  const GLFWvidmode* mode = shown_on ? glfwGetVideoMode(shown_on) : nullptr;
  return mode && mode->refreshRate > 0 ? mode->refreshRate : 60.;
}

void Window::toggle_fullscreen() {
  auto& [x, y, width, height] = windowed_;
  if (glfwGetWindowMonitor(handle_)) return glfwSetWindowMonitor(handle_, nullptr, x, y, width, height, GLFW_DONT_CARE);
  GLFWmonitor* target = monitor();
  const GLFWvidmode* mode = target ? glfwGetVideoMode(target) : nullptr;
  if (!mode) return;
  glfwGetWindowPos(handle_, &x, &y);
  glfwGetWindowSize(handle_, &width, &height);
  glfwSetWindowMonitor(handle_, target, 0, 0, mode->width, mode->height, mode->refreshRate);
}

std::string Window::clipboard() const {
  const char* text = glfwGetClipboardString(handle_);
  return text ? text : "";
}

void Window::set_clipboard(const std::string& text) { glfwSetClipboardString(handle_, text.c_str()); }

}  // namespace warploom::gl
