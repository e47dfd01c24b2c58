#include "viewer/gl/present.h"

#include <glad/gl.h>

namespace warploom::gl {

Presenter::Presenter() : program_("present.vert", "present.frag") {
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
}

void Presenter::draw(const Texture& picture, const Viewport& viewport, int framebuffer_height, const PicturePart& part,
                     Rgba ground, Filter filter) {
  const unsigned sampler = samplers_[static_cast<int>(filter)];
  const auto channel = [&](int shift) { return static_cast<float>(ground >> shift & 255) / 255.f; };
  const float border[] = {channel(0), channel(8), channel(16), 1.f};
  glSamplerParameterfv(sampler, GL_TEXTURE_BORDER_COLOR, border);

  for (const GLenum switched : {GL_BLEND, GL_DEPTH_TEST, GL_CULL_FACE, GL_SCISSOR_TEST}) glDisable(switched);
  glViewport(viewport.x, framebuffer_height - viewport.y - viewport.height, viewport.width, viewport.height);
  program_.use();
  program_.set("window", std::array<float, 4>{part.x, part.y, part.width, part.height});
  glBindTextureUnit(0, picture.id());
  glBindSampler(0, sampler);
  glBindVertexArray(vertex_array_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glBindSampler(0, 0);  // others set filters on their textures
}

}  // namespace warploom::gl
