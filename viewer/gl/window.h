#pragma once
#include <functional>
#include <string>

#include "viewer/gl/key_taps.h"

struct GLFWwindow;
struct GLFWmonitor;

namespace warploom::gl {

struct Size {
  int width = 0, height = 0;
  bool operator==(const Size&) const = default;
};

/// A window with an OpenGL 4.5 core context, current in the thread that made it (the main thread: GLFW asks for it).
class Window {
 public:
  /// Width and height in screen coordinates, scaled with the monitor. Throws DisplayError with the reason and a remedy:
  /// no display, or no OpenGL 4.5 there.
  /// `fits`: at most as large as the screen.
  Window(const std::string& title, int width, int height, bool visible = true, bool fits = false);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();

  void poll();                ///< handles the events that are there
  void wait(double seconds);  ///< sleeps until an event comes, at most so long
  static void wake();         ///< ends wait(); from any thread
  void swap();
  /// 1: one frame per refresh; 0: no limit.
  void set_swap_interval(int interval);

  bool should_close() const;

  Size framebuffer_size() const;  ///< pixels; 0 x 0 while minimised
  Size window_size() const;       ///< screen coordinates
  float content_scale() const;
  double refresh_rate() const;  ///< of the monitor that shows most of the window, in hertz; 60 where it is not known
  void toggle_fullscreen();
  std::string clipboard() const;
  void set_clipboard(const std::string& text);
  GLFWwindow* handle() const { return handle_; }

  // Called from within poll() and wait(); exceptions may not leave them.
  std::function<void(int key, int modifiers, bool pressed)>
      on_key;                          ///< GLFW's codes; a held key is pressed again and again
  std::function<void()> on_refresh;    ///< the contents were damaged: draw now, also in the middle of a resize
  std::function<void()> on_any_event;  ///< input or exposure: an idle loop has something to draw
  std::function<void(const std::string& path)> on_drop;  ///< once per file
  /// `save` is called once where the X server goes, in the thread that notices it; then the program ends, as Xlib asks,
  /// with the exit code of a missing display.
  void on_display_lost(std::function<void()> save);
  KeyTaps taps;  ///< the keys of the events so far

 private:
  GLFWmonitor* monitor() const;
  void listen();

  GLFWwindow* handle_ = nullptr;
  int windowed_[4] = {};  ///< x, y, width, height before full screen
};

}  // namespace warploom::gl
