// What a test sees of an SVG file: its elements, colours, texts and image.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <expat.h>
#include <gtest/gtest.h>

namespace tsmini {

struct Picture {
  std::map<std::string, int> elements;  // by name
  std::map<std::string, int> paths;     // by colour
  std::vector<std::string> path_data;   // of paths
  std::string text;                     // of all elements, each with a bar behind it
  std::string image;                    // its address
};

// Fails the test where the file is not well-formed, or a place or size in it is no number.
inline Picture picture_of(const std::string& svg) {
  Picture picture;
  XML_Parser parser = XML_ParserCreate(nullptr);
  XML_SetUserData(parser, &picture);
  const auto opened = [](void* data, const char* name, const char** attributes) {
    auto& self = *static_cast<Picture*>(data);
    ++self.elements[name];
    for (; *attributes != nullptr; attributes += 2) {
      const std::string_view key = attributes[0], value = attributes[1];
      if (key == "href") {
        self.image = value;
        continue;
      }
      if (key == "d") self.path_data.emplace_back(value);
      if (key == "stroke") ++self.paths[std::string(value)];
      EXPECT_EQ(value.find("nan"), value.npos) << name << ' ' << key << ' ' << value;
      EXPECT_EQ(value.find("inf"), value.npos) << name << ' ' << key << ' ' << value;
    }
  };
  const auto closed = [](void* data, const char*) { static_cast<Picture*>(data)->text += '|'; };
  XML_SetElementHandler(parser, opened, closed);
  XML_SetCharacterDataHandler(parser, [](void* data, const char* text, int size) {
    static_cast<Picture*>(data)->text.append(text, static_cast<std::size_t>(size));
  });
  EXPECT_EQ(XML_Parse(parser, svg.data(), static_cast<int>(svg.size()), 1), XML_STATUS_OK)
      << XML_ErrorString(XML_GetErrorCode(parser));
  XML_ParserFree(parser);
  EXPECT_EQ(picture.text.find("nan"), std::string::npos) << picture.text;
  EXPECT_EQ(picture.text.find("inf"), std::string::npos) << picture.text;
  return picture;
}

// A text that ends so.
inline bool has(const Picture& picture, const std::string& text) {
  return picture.text.find(text + "|") != std::string::npos;
}

}  // namespace tsmini
