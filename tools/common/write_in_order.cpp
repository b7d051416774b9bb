#include "common/write_in_order.h"

#include "base/in_order.h"

namespace tsmini::cli {

void write_in_order(std::size_t count, const std::function<std::string(std::size_t)>& make,
                    const std::function<void(const std::string&)>& write) {
  if (count == 0) return;
  write(make(0));
  in_order<std::string>(
      count, make, [&](std::size_t, const std::string& text) { write(text); }, 1);
}

}  // namespace tsmini::cli
