// Where a training run stands, as a file: enough to go on to the same weights.
//
// The file is safetensors. It holds the tensors below. Its metadata has two keys:
// "tsmini-checkpoint", a JSON text of the numbers and of the request that they belong to, and
// "checksum", taken of that text and of the names and values of all tensors: a file with a changed
// bit is refused, wherever the bit is. It is written whole or not at all.
//
//   Checkpoint checkpoint = Checkpoint::load("m.checkpoint");
//   check_same_request(checkpoint, request, "m.checkpoint");
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tsmini/train.h"

namespace tsmini::learn {

// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann asserts in what it moves.
struct Checkpoint {
  nlohmann::ordered_json request;  // flat: what must be the same to go on, and the budget
  std::uint64_t step = 0;          // done so far
  double seconds = 0;              // of training so far
  double preparing_seconds = 0;    // before the first step, in all runs so far
  double judging_seconds = 0;      // in validations, of the seconds of training
  double last_judging_seconds = 0;
  double loss_sum = 0;  // since the last validation
  std::uint64_t loss_steps = 0;
  std::uint64_t validations = 0;  // of the schedule
  std::uint64_t since_best = 0;   // validations
  std::uint64_t best_step = 0;
  Calibration calibration;
  RetrievalScore best;
  std::vector<TrainEvent> events;  // all validations so far
  std::map<std::string, std::vector<float>> tensors;

  // Throws Error(bad_input) for a file that is missing, damaged or something else.
  static Checkpoint load(const std::filesystem::path& path);
  void save(const std::filesystem::path& path) const;
};

// Throws Error(usage) where something is there that is no checkpoint of ours, which a run that
// starts over would replace; Error(failure) where it cannot be written, (bad_input) where it cannot
// be opened.
void check_replaceable(const std::filesystem::path& path);

// Whether it had another budget, in steps or in time: it may.
bool other_budget(const Checkpoint& checkpoint, const nlohmann::ordered_json& request);

// Throws Error(usage) naming the first thing that differs, but for the budget.
void check_same_request(const Checkpoint& checkpoint, const nlohmann::ordered_json& request,
                        const std::filesystem::path& path);

}  // namespace tsmini::learn
