// What the examples of headers call and no header has: something is done with what they found.
#pragma once

namespace tsmini::examples {

template <class... T>
void use(const T&... /*found*/) {}

template <class... T>
void draw(const T&... /*found*/) {}

template <class... T>
void show(const T&... /*found*/) {}

}  // namespace tsmini::examples
