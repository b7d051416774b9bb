// A variable of the environment, for a while.
//
//   const Environment none("TSMINI_EMULATED_GPUS", "0");
#pragma once

#include <cstdlib>

namespace tsmini {

// Afterwards there is none of that name.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { ::unsetenv(name_); }

 private:
  const char* name_;
};

}  // namespace tsmini
