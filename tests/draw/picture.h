// What a test sees of a chart: the names, colours and texts in an SVG file.
#pragma once

#include <map>
#include <string>

#include <expat.h>
#include <gtest/gtest.h>

namespace tsmini {

struct Picture {
  std::map<std::string, int> elements;
  std::map<std::string, int> paths;  // by colour
  std::string text;
};

// Fails the test where the file is not well-formed.
inline Picture picture_of(const std::string& svg) {
  Picture picture;
  XML_Parser parser = XML_ParserCreate(nullptr);
  XML_SetUserData(parser, &picture);
  XML_SetStartElementHandler(parser, [](void* data, const char* name, const char** attributes) {
    auto& self = *static_cast<Picture*>(data);
    ++self.elements[name];
    for (; *attributes != nullptr; attributes += 2) {
      if (std::string("stroke") == attributes[0]) ++self.paths[attributes[1]];
    }
  });
  XML_SetCharacterDataHandler(parser, [](void* data, const char* text, int size) {
    static_cast<Picture*>(data)->text.append(text, static_cast<std::size_t>(size)) += '|';
  });
  EXPECT_EQ(XML_Parse(parser, svg.data(), static_cast<int>(svg.size()), 1), XML_STATUS_OK);
  XML_ParserFree(parser);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  return picture;
}

inline bool has(const Picture& picture, const std::string& text) {
  return picture.text.find(text + "|") != std::string::npos;
}

}  // namespace tsmini
