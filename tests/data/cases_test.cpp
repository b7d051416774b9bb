// The cases of tests/data/cases/*.txt, which need no C++ to add; its README.md says how.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/arguments.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

struct InputText {
  std::string name, content;
  bool escaped = false, packed = false;
};

struct Case {
  std::string name, options;
  std::vector<InputText> inputs;
  std::vector<std::string> expected;
  bool expects_data = false, in_folder = false;
  std::string error, hint;
  std::vector<std::string> bad;
  std::map<std::string, std::uint64_t> counts;
};

std::string unescaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      result += text[i];
      continue;
    }
    switch (text.at(++i)) {
      case 'n': result += '\n'; break;
      case 'r': result += '\r'; break;
      case 't': result += '\t'; break;
      case '\\': result += '\\'; break;
      case '\n': break;  // a line that goes on
      case 'x':
        result += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
        i += 2;
        break;
      default: throw std::invalid_argument("unknown escape in a case");
    }
  }
  return result;
}

std::string rest_of(std::istringstream& words) {
  std::string rest;
  std::getline(words >> std::ws, rest);
  return rest;
}

void read_directive(const std::string& line, Case& c) {
  std::istringstream words(line);
  std::string what;
  words >> what;
  if (what == "options") {
    c.options = rest_of(words);
  } else if (what == "folder") {
    c.in_folder = true;
  } else if (what == "file") {
    InputText input;
    words >> input.name;
    for (std::string word; words >> word;) {
      input.escaped |= word == "escaped";
      input.packed |= word == "gz";
    }
    c.inputs.push_back(input);
  } else if (what == "expect") {
    c.expects_data = true;
  } else if (what == "error") {
    c.error = rest_of(words);
  } else if (what == "hint") {
    c.hint = rest_of(words);
  } else if (what == "bad") {
    c.bad.push_back(rest_of(words));
  } else if (what == "count") {
    std::string name;
    words >> name;
    words >> c.counts[name];
  } else {
    throw std::invalid_argument("unknown directive " + what);
  }
}

std::vector<Case> read_cases(const std::filesystem::path& path) {
  std::vector<Case> cases;
  std::istringstream in(read_file(path));
  bool in_file = false, in_expected = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("=== ")) {
      cases.emplace_back();
      cases.back().name = line.substr(4);
      in_file = in_expected = false;
    } else if (cases.empty()) {
      continue;
    } else if (line.starts_with("--- ")) {
      read_directive(line.substr(4), cases.back());
      in_file = line.starts_with("--- file ");
      in_expected = line.starts_with("--- expect");
    } else if (in_file) {
      cases.back().inputs.back().content += line + "\n";
    } else if (in_expected && !line.empty()) {
      cases.back().expected.push_back(line);
    }
  }
  return cases;
}

std::map<std::string, std::uint64_t> counts_of(const ImportSummary& s) {
  std::map<std::string, std::uint64_t> counts{{"tracks", s.tracks},
                                              {"files", s.files},
                                              {"bad_records", s.bad_records},
                                              {"cut", s.cut},
                                              {"duplicate_points", s.duplicate_points},
                                              {"fast_points", s.fast_points},
                                              {"thinned_points", s.thinned_points},
                                              {"incomplete_times", s.incomplete_times},
                                              {"without_times", s.without_times},
                                              {"trajectories", s.trajectories},
                                              {"points", s.points},
                                              {"reversed", s.reversed},
                                              {"unwanted_points", s.unwanted_points},
                                              {"foreign_files", s.foreign_files}};
  for (std::size_t i = 0; i < drop_count; ++i) {
    const auto drop = static_cast<Drop>(i);
    counts.emplace(key_of(drop), count_of(s, drop));
  }
  return counts;
}

void check_summary(const Case& c, const ImportSummary& summary) {
  const auto counts = counts_of(summary);
  for (const auto& [name, wanted] : c.counts) EXPECT_EQ(counts.at(name), wanted) << name;
  if (!c.counts.contains("bad_records")) {
    EXPECT_EQ(summary.bad_records, c.bad.size());
  }
  ASSERT_LE(c.bad.size(), summary.bad_examples.size());
  for (std::size_t i = 0; i < c.bad.size(); ++i) {
    EXPECT_TRUE(matches(summary.bad_examples[i], c.bad[i])) << summary.bad_examples[i];
  }
}

void run_case(const Case& c) {
  SCOPED_TRACE(c.name);
  const TemporaryFolder in, out;
  std::vector<std::filesystem::path> files;
  for (const InputText& input : c.inputs) {
    std::string content = input.escaped ? unescaped(input.content) : input.content;
    if (input.packed) content = gzipped(content);
    write_file(in / input.name, content);
    if (!c.in_folder) files.push_back(in / input.name);
  }
  if (c.in_folder) files.push_back(in.path());
  const auto import = [&] {
    return import_files(files, out / "out.tsd", import_options_from(c.options));
  };
  if (!c.error.empty()) {
    expect_error(ErrorCode::bad_input, c.error, c.hint, import);
    EXPECT_EQ(out.names(), std::vector<std::string>{});
    return;
  }
  ASSERT_TRUE(c.expects_data) << "a case needs 'expect' or 'error'";
  try {
    const ImportSummary summary = import();
    const Dataset data = Dataset::open(out / "out.tsd");
    data.verify();
    EXPECT_EQ(lines_of(data), c.expected);
    check_summary(c, summary);
  } catch (const Error& error) {
    ADD_FAILURE() << error.what();
  }
}

std::vector<std::string> case_files() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(TSMINI_SOURCE_DIR "/tests/data/cases")) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Cases : public testing::TestWithParam<std::string> {};

TEST_P(Cases, AllHold) {
  const auto cases = read_cases(std::filesystem::path(TSMINI_SOURCE_DIR "/tests/data/cases") /
                                (GetParam() + ".txt"));
  EXPECT_FALSE(cases.empty());
  for (const Case& c : cases) run_case(c);
}

INSTANTIATE_TEST_SUITE_P(Import, Cases, testing::ValuesIn(case_files()),
                         [](const auto& chosen) { return chosen.param; });

}  // namespace
}  // namespace tsmini
