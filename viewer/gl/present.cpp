#include "viewer/gl/present.h"

#include <glad/gl.h>

#include <string>
#include <string_view>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "viewer/base/paths.h"

namespace warploom::gl {
namespace {

/// A compiled shader; the program keeps what it needs of it, so it goes at the end of linking.
class Shader {
 public:
  Shader(GLenum stage, std::string_view file) : id_(glCreateShader(stage)) {
    try {
      const auto path = data_folder() / "shaders" / file;
      const std::string source = read_file(path);
      const char* text = source.c_str();
      glShaderSource(id_, 1, &text, nullptr);
      glCompileShader(id_);
      GLint done = 0, length = 0;
      glGetShaderiv(id_, GL_COMPILE_STATUS, &done);
      if (done) return;
      glGetShaderiv(id_, GL_INFO_LOG_LENGTH, &length);
      std::string log(static_cast<std::size_t>(length), '\0');
      glGetShaderInfoLog(id_, length, nullptr, log.data());
      throw Error(path.string() + " does not compile: " + log.c_str());
    } catch (...) {
      glDeleteShader(id_);
      throw;
    }
  }
  Shader(const Shader&) = delete;
  Shader& operator=(const Shader&) = delete;
  ~Shader() { glDeleteShader(id_); }
  GLuint id() const { return id_; }

 private:
  GLuint id_;
};
/// A shader program made of two files of the folder `shaders`.
GLuint linked(std::string_view vertex_file, std::string_view fragment_file) {
  const Shader vertex(GL_VERTEX_SHADER, vertex_file), fragment(GL_FRAGMENT_SHADER, fragment_file);
  const GLuint id = glCreateProgram();
  glAttachShader(id, vertex.id());
  glAttachShader(id, fragment.id());
  glLinkProgram(id);
  glDetachShader(id, vertex.id());
  glDetachShader(id, fragment.id());
  GLint done = 0, length = 0;
  glGetProgramiv(id, GL_LINK_STATUS, &done);
  if (done) return id;
  glGetProgramiv(id, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(length), '\0');
  glGetProgramInfoLog(id, length, nullptr, log.data());
  glDeleteProgram(id);
  throw Error(std::string(vertex_file) + " and " + std::string(fragment_file) + " do not link: " + log.c_str());
}

}  // namespace

Presenter::Presenter() : program_(linked("present.vert", "present.frag")) {
  glCreateVertexArrays(1, &vertex_array_);
  glCreateSamplers(2, samplers_);
  for (int i = 0; i < 2; ++i) {
    const GLint filter = static_cast<Filter>(i) == Filter::nearest ? GL_NEAREST : GL_LINEAR;
    glSamplerParameteri(samplers_[i], GL_TEXTURE_MIN_FILTER, filter);
    glSamplerParameteri(samplers_[i], GL_TEXTURE_MAG_FILTER, filter);
    glSamplerParameteri(samplers_[i], GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glSamplerParameteri(samplers_[i], GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  }
}

Presenter::~Presenter() {
  glDeleteSamplers(2, samplers_);
  glDeleteVertexArrays(1, &vertex_array_);
  // Still in use it would linger, and Dear ImGui would restore a program that is gone.
  GLint used = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &used);
  if (static_cast<unsigned>(used) == program_) glUseProgram(0);
  glDeleteProgram(program_);
}

void Presenter::draw(const Texture& picture, const Viewport& viewport, int framebuffer_height, const PicturePart& part,
                     Rgba ground, Filter filter) {
  const unsigned sampler = samplers_[static_cast<int>(filter)];
  const auto channel = [&](int shift) { return static_cast<float>(ground >> shift & 255) / 255.f; };
  const float border[] = {channel(0), channel(8), channel(16), 1.f};
  glSamplerParameterfv(sampler, GL_TEXTURE_BORDER_COLOR, border);
  for (const GLenum switched : {GL_BLEND, GL_DEPTH_TEST, GL_CULL_FACE, GL_SCISSOR_TEST}) glDisable(switched);
  glViewport(viewport.x, framebuffer_height - viewport.y - viewport.height, viewport.width, viewport.height);
  glUseProgram(program_);
  glProgramUniform4f(program_, glGetUniformLocation(program_, "window"), part.x, part.y, part.width, part.height);
  glBindTextureUnit(0, picture.id());
  glBindSampler(0, sampler);
  glBindVertexArray(vertex_array_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glBindSampler(0, 0);  // others set filters on their textures
}

}  // namespace warploom::gl
