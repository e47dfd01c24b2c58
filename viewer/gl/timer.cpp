#include "viewer/gl/timer.h"

#include <glad/gl.h>

namespace warploom::gl {

GpuTimer::GpuTimer(int depth) : free_(static_cast<std::size_t>(depth)) {
  for (Pair& pair : free_) {
    glCreateQueries(GL_TIMESTAMP, 1, &pair.begin);
    glCreateQueries(GL_TIMESTAMP, 1, &pair.end);
  }
}

GpuTimer::~GpuTimer() {
  if (open_) free_.push_back(current_);
  free_.insert(free_.end(), under_way_.begin(), under_way_.end());
  for (const Pair& pair : free_) {
    glDeleteQueries(1, &pair.begin);
    glDeleteQueries(1, &pair.end);
  }
}

void GpuTimer::begin(std::uint64_t tag) {
  if (open_) return;
  if (free_.empty()) {
    ++dropped_;
    return;
  }
  current_ = free_.back();
  free_.pop_back();
  current_.tag = tag;
  open_ = true;
  glQueryCounter(current_.begin, GL_TIMESTAMP);
}

void GpuTimer::end() {
  if (!open_) return;
  glQueryCounter(current_.end, GL_TIMESTAMP);
  under_way_.push_back(current_);
  open_ = false;
}

std::vector<GpuTimer::Sample> GpuTimer::collect() {
  std::vector<Sample> samples;
  while (!under_way_.empty()) {
    const Pair pair = under_way_.front();
    GLint arrived = 0;
    glGetQueryObjectiv(pair.end, GL_QUERY_RESULT_AVAILABLE, &arrived);
    if (!arrived) break;
    GLuint64 begin = 0, end = 0;
    glGetQueryObjectui64v(pair.begin, GL_QUERY_RESULT, &begin);
    glGetQueryObjectui64v(pair.end, GL_QUERY_RESULT, &end);
    samples.push_back({pair.tag, static_cast<double>(end - begin) * 1e-6});
    free_.push_back(pair);
    under_way_.pop_front();
  }
  return samples;
}

}  // namespace warploom::gl
