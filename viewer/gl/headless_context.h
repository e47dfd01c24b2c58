#pragma once
#include <string>

namespace warploom::gl {

/// OpenGL 4.5 core without display or window, through EGL, current in the thread that made it. One at a time: two on
/// the same EGL display would end each other's. The EGL library is opened at run time.
class HeadlessContext {
 public:
  /// Where CUDA draws, `prefer_nvidia` asks for the GPU that is CUDA device 0. Otherwise the software rasteriser comes
  /// first, whose pictures are the same on every machine. Either falls back on whatever offers OpenGL 4.5.
  /// Throws DisplayError that says what was tried, why each failed, and one remedy.
  explicit HeadlessContext(bool prefer_nvidia);
  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;
  ~HeadlessContext();

  /// For the doctor: the EGL platform, its version and what draws.
  std::string description() const;

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
  void* surface_ = nullptr;
  std::string platform_;
};

}  // namespace warploom::gl
