#include <variant>

#include "tsmini/attributes.h"

namespace tsmini {

OwnedAttribute::OwnedAttribute(const Attribute& attribute) : name(attribute.name) {
  std::visit(
      [&](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::string_view>) {
          value = std::string(held);
        } else {
          value = held;
        }
      },
      attribute.value);
}

Attribute OwnedAttribute::view() const {
  return std::visit(
      [&](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::string>) {
          return Attribute{name, std::string_view(held)};
        } else {
          return Attribute{name, held};
        }
      },
      value);
}

std::vector<Attribute> views_of(std::span<const OwnedAttribute> attributes) {
  std::vector<Attribute> views;
  views.reserve(attributes.size());
  for (const OwnedAttribute& attribute : attributes) views.push_back(attribute.view());
  return views;
}

}  // namespace tsmini
