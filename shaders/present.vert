#version 450 core
// One triangle that covers the viewport; place (0,0) is the viewport's top left corner, (1,1) its bottom right.
uniform vec4 window;  // the picture's part on show: xy = its top left, zw = its size, in pictures
out vec2 uv;

void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 2. : 0., gl_VertexID == 2 ? 2. : 0.);
  uv = window.xy + corner * window.zw;
  gl_Position = vec4(corner.x * 2. - 1., 1. - corner.y * 2., 0., 1.);
}
