#version 450 core
// No test for "outside" here: the sampler's border is the ground. On data centre chips few multiprocessors
// rasterise, so each instruction of this shader shows in the frame time.
layout(binding = 0) uniform sampler2D picture;
in vec2 uv;
out vec4 colour;

void main() { colour = vec4(texture(picture, uv).rgb, 1.); }
