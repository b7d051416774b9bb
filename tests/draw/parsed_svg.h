// What is in an SVG file, for tests.
#pragma once

#include <cstring>
#include <map>
#include <string>

#include <expat.h>
#include <gtest/gtest.h>

namespace tsmini {

// Elements by name and all text; fails the test where the file is not well-formed.
struct Parsed {
  std::map<std::string, int> elements;
  std::string text;
  std::string image;
};

inline Parsed parsed(const std::string& svg) {
  Parsed result;
  XML_Parser parser = XML_ParserCreate(nullptr);
  XML_SetUserData(parser, &result);
  XML_SetStartElementHandler(parser, [](void* data, const char* name, const char** attributes) {
    auto& self = *static_cast<Parsed*>(data);
    ++self.elements[name];
    for (; *attributes != nullptr; attributes += 2) {
      if (std::strcmp(attributes[0], "href") == 0) self.image = attributes[1];
    }
  });
  XML_SetCharacterDataHandler(parser, [](void* data, const char* text, int size) {
    static_cast<Parsed*>(data)->text.append(text, static_cast<std::size_t>(size));
  });
  EXPECT_EQ(XML_Parse(parser, svg.data(), static_cast<int>(svg.size()), 1), XML_STATUS_OK)
      << XML_ErrorString(XML_GetErrorCode(parser));
  XML_ParserFree(parser);
  return result;
}

}  // namespace tsmini
