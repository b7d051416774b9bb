#include "base/npy.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

constexpr const char* good_text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";

// A file with this dictionary and so many bytes of values.
std::string npy(const std::string& text, std::size_t bytes, char version = 1) {
  const std::size_t before = version == 1 ? 10 : 12;
  std::string padded = text;
  padded.resize((before + text.size()) / 64 * 64 + 64 - before - 1, ' ');
  padded += '\n';
  std::string file = "\x93NUMPY";
  file += {version, 0, static_cast<char>(padded.size()), static_cast<char>(padded.size() >> 8)};
  if (version == 2) file += {0, 0};
  return file + padded + std::string(bytes, '\0');
}

TEST(Npy, HeaderIsAsNumpyWritesIt) {
  const NpyHeader flat{NpyType::float64, {5}}, square{NpyType::float32, {2, 3}};
  EXPECT_EQ(square.count(), 6u);
  EXPECT_EQ(square.bytes(), npy(good_text, 0));
  EXPECT_EQ(flat.bytes(), npy("{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }", 0));
  for (std::size_t n = 1; n < 1'000'000'000'000; n *= 10) {
    const std::string bytes = NpyHeader{NpyType::float64, {n, n}}.bytes();
    EXPECT_EQ(bytes.size() % 64, 0u);
    EXPECT_EQ(bytes.size(), 10u + static_cast<unsigned char>(bytes[8]));
    EXPECT_EQ(bytes.back(), '\n');
  }
}

template <class T>
class NpyOf : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(NpyOf, Types);

TYPED_TEST(NpyOf, WhatIsWrittenIsRead) {
  const TemporaryFolder folder;
  write_file(folder / "a.npy", std::string(10'000, 'x'));
  const NpyHeader header{npy_type_of<TypeParam>, {3, 4}};
  {
    const NpyWriter writer = NpyWriter::create(folder / "a.npy", header);
    ASSERT_EQ(writer.template values<TypeParam>().size(), 12u);
    writer.template values<TypeParam>()[7] = TypeParam(1.5);
    writer.sync();
  }
  {
    const NpyWriter again = NpyWriter::reopen(folder / "a.npy", header);
    EXPECT_EQ(again.template values<TypeParam>()[7], TypeParam(1.5));
    again.template values<TypeParam>()[11] = TypeParam(-2);
  }
  const NpyArray array(folder / "a.npy");
  EXPECT_EQ(array.header(), header);
  const auto values = array.template values<TypeParam>();
  EXPECT_EQ(std::vector<TypeParam>(values.begin(), values.end()),
            (std::vector<TypeParam>{0, 0, 0, 0, 0, 0, 0, TypeParam(1.5), 0, 0, 0, -2}));
}

TEST(Npy, Empty) {
  const TemporaryFolder folder;
  NpyWriter::create(folder / "a.npy", {NpyType::float32, {0}});
  EXPECT_EQ(NpyArray(folder / "a.npy").values<float>().size(), 0u);
}

TEST(Npy, OtherSpellingsAreRead) {
  const TemporaryFolder folder;
  for (const std::string& file :
       {npy(good_text, 24, 2), npy("{'shape':(2,3),'fortran_order':False,'descr':'<f4'}", 24),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6, ), }", 24)}) {
    write_file(folder / "a.npy", file);
    EXPECT_EQ(NpyArray(folder / "a.npy").values<float>().size(), 6u);
  }
}

TEST(Npy, LiesAreRefused) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& file, const std::string& message) {
    write_file(folder / "a.npy", file);
    expect_error(ErrorCode::bad_input, "a.npy: .*" + message, "'<f4' or '<f8'",
                 [&] { NpyArray{folder / "a.npy"}; });
  };
  refused("", "not a .npy");
  refused("\x93NUMPY", "not a .npy");
  refused(std::string(200, 'x'), "not a .npy");
  refused(npy(good_text, 24, 3), "version");
  refused(npy(good_text, 24).substr(0, 60), "header is cut short");
  for (const char* text :
       {"", "{", "{}", "{'descr': '<f4', 'shape': (2, 3), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }",
        "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }",
        "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 1), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2, -3), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 1), }",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } x"}) {
    refused(npy(text, 24), "header is not understood");
  }
  refused(npy(good_text, 23), "does not fit the 23 bytes");
  refused(npy(good_text, 28), "does not fit");
  refused(npy(good_text, 48), "does not fit");
  refused(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", 24), "does not fit");
  for (const char* shape : {"4294967296, 4294967296", "4611686018427387904, 4", "0, 7"}) {
    const std::string text =
        std::string("{'descr': '<f4', 'fortran_order': False, 'shape': (") + shape + "), }";
    refused(npy(text, 24), "does not fit");
  }
  refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 0),
          "does not fit");
}

TEST(NpyWriter, RefusesAnotherArray) {
  const TemporaryFolder folder;
  NpyWriter::create(folder / "a.npy", {NpyType::float32, {2, 3}});
  for (const NpyHeader& other :
       {NpyHeader{NpyType::float32, {3, 2}}, NpyHeader{NpyType::float64, {2, 3}},
        NpyHeader{NpyType::float32, {6}}}) {
    expect_error(ErrorCode::bad_input, "not the array that was begun", "",
                 [&] { NpyWriter::reopen(folder / "a.npy", other); });
  }
}

TEST(NpyWriter, OneAtATime) {
  const TemporaryFolder folder;
  const NpyHeader header{NpyType::float32, {2, 3}};
  const NpyWriter first = NpyWriter::create(folder / "a.npy", header);
  first.values<float>()[0] = 7;
  expect_error(ErrorCode::failure, "another process is writing", "wait",
               [&] { NpyWriter::create(folder / "a.npy", header); });
  expect_error(ErrorCode::failure, "another process is writing", "wait",
               [&] { NpyWriter::reopen(folder / "a.npy", header); });
  EXPECT_EQ(NpyArray(folder / "a.npy").values<float>()[0], 7);
}

TEST(NpyWriter, NoRoomIsAnErrorAtTheStart) {
  const TemporaryFolder folder;
  expect_error(ErrorCode::failure, "a.npy: cannot write", "", [&] {
    NpyWriter::create(folder / "a.npy", {NpyType::float32, {std::size_t{1} << 60}});
  });
  EXPECT_TRUE(folder.names().empty());
  expect_error(ErrorCode::failure, "cannot write: No such file", "", [&] {
    NpyWriter::create(folder / "no/a.npy", {NpyType::float32, {1}});
  });
}

}  // namespace
}  // namespace tsmini
