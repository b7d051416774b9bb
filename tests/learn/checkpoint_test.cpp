// A checkpoint comes back as it was, or not at all.
#include "learn/checkpoint.h"

#include <gtest/gtest.h>

#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini::learn {
namespace {

Checkpoint some_checkpoint() {
  Checkpoint checkpoint;
  checkpoint.request = {{"seed", 1}, {"steps", "100"}, {"time_budget", 0}, {"rate", "0.004"}};
  checkpoint.step = 40;
  checkpoint.seconds = 1.5;
  checkpoint.preparing_seconds = 0.25;
  checkpoint.best_step = 20;
  TrainEvent event;
  event.step = 20;
  event.all_seconds = 1.25;
  event.loss = 3;
  checkpoint.events = {event};
  checkpoint.tensors = {{"weights", {0, 1, 2, 3, 4, 5}}, {"buffers", {1, 1}}};
  return checkpoint;
}

TEST(CheckpointFile, ComesBack) {
  const TemporaryFolder folder;
  some_checkpoint().save(folder / "c");
  const Checkpoint back = Checkpoint::load(folder / "c");
  EXPECT_EQ(back.request, some_checkpoint().request);
  EXPECT_EQ(back.step, 40u);
  EXPECT_EQ(back.preparing_seconds, 0.25);
  ASSERT_EQ(back.events.size(), 1u);
  EXPECT_EQ(back.events[0].all_seconds, 1.25);
  EXPECT_EQ(back.tensors, some_checkpoint().tensors);
}

TEST(CheckpointFile, AnyChangedBitIsRefused) {
  const TemporaryFolder folder;
  some_checkpoint().save(folder / "c");
  const std::string whole = read_file(folder / "c");
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string changed = whole;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    write_file(folder / "c", changed);
    try {
      Checkpoint::load(folder / "c");
      ADD_FAILURE() << "bit " << bit % 8 << " of byte " << bit / 8 << " of " << whole.size();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input) << error.what();
      EXPECT_TRUE(matches(error.hint(), "start over")) << error.hint();
    }
  }
}

TEST(CheckpointFile, TheBudgetMayBeAnother) {
  const Checkpoint checkpoint = some_checkpoint();
  auto request = checkpoint.request;
  EXPECT_FALSE(other_budget(checkpoint, request));
  request["steps"] = "200";
  EXPECT_TRUE(other_budget(checkpoint, request));
  check_same_request(checkpoint, request, "c");
  request["steps_too"] = true;
  check_same_request(checkpoint, request, "c");
  request["rate"] = "0.002";
  expect_error(ErrorCode::usage, "rate was 0.004 and is now 0.002", "`time_budget",
               [&] { check_same_request(checkpoint, request, "c"); });
}

}  // namespace
}  // namespace tsmini::learn
