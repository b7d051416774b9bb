// Training: a data set and options in, a model out, an observer told of what happens.
//
// The trips marked `train` are learned from and those marked `validation` (a seeded sample of 2,000
// where there are more) choose the weights; without a split, a seeded tenth (at most 1,000) is held
// back for that. The same options on the same data and device give the same model, to the last bit,
// on the CPU with any number of threads, and whether the run was stopped and resumed on the way or
// not (but for a budget of time, which decides how many steps there are).
//
//   TrainOptions options;
//   options.recipe = recipe_for("quick", Measure::frechet);
//   options.time_budget = 60;
//   TrainObserver observer;
//   observer.event = [](const TrainEvent& event) {
//     if (event.validated) std::cout << event.step << ' ' << event.score.hr10 << '\n';
//   };
//   train(data, options, observer).save("m.safetensors");
//
// Memory hardly grows with the data, which stays where it is. Composed trips (`augment_to`) are in
// memory, with copies of those that they are made of: 16 bytes a point, up to four times that while
// they are made, and no more are made once they have 30 million points. On a GPU it takes 28 bytes
// a point there, and 8 more or the true distances of all pairs, beside some 100 MB, what a step
// needs (a megabyte a trip of the batch, for trips of 50 points) or a validation (half a gigabyte),
// and scratch for true distances: up to 4 GiB, but no more than half of what is free. True
// distances by batch also take 24 bytes a point of the training trips in main memory while they are
// taken up. Several threads of a process may each train; nothing is printed, and nothing of the
// process changed. Memory is given back when a run ends, but for what CUDA itself keeps, and
// scratch of each thread, which its next work uses again: some megabytes, and more after a trip of
// many thousand points, until a shorter one follows.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tsmini/dataset.h"
#include "tsmini/measure.h"
#include "tsmini/model.h"
#include "tsmini/progress.h"
#include "tsmini/recipe.h"
#include "tsmini/retrieval.h"
#include "tsmini/space.h"

namespace tsmini {

// Where training computes.
enum class Device { cpu, cuda };
inline constexpr std::array<std::string_view, 2> device_names{"cpu", "cuda"};

std::string_view name_of(Device device);
// Throws Error(usage) for other names, Error(failure) where there is no GPU or this library was
// built without them, saying which and what to do.
Device device_from(std::string_view name);
// "CPU, 2 threads" or "NVIDIA H200", say. `threads`: 0 for all cores.
std::string describe(Device device, std::size_t threads);

// As the other check_recipe() does, and throws for what the kernels of a device cannot take.
void check_recipe(const Recipe& recipe, Device device);

// Throws Error(bad_input) where the data has too few trips for a batch or to choose weights by, as
// train() does after it was begun.
void check_enough(const Dataset& data, const Recipe& recipe);

// Where true distances come from.
enum class LabelKind {
  automatic,  // matrix on a GPU for up to 32,768 trips (8,192 where the CPU must measure them) and
              // a quarter of its free memory, batch otherwise
  matrix,     // all pairs before training: n² floats
  batch,      // the pairs of each batch while the one before it trains: nothing grows with n²
};
inline constexpr std::array<std::string_view, 3> label_kind_names{"automatic", "matrix", "batch"};

struct TrainOptions {
  Recipe recipe;
  Measure measure = Measure::frechet;
  MeasureSettings measure_settings;
  SpaceKind space = SpaceKind::ground;  // that distances are taken in
  std::uint64_t seed = 1;
  Device device = Device::cpu;
  // On the CPU, as far as the process allows them; 0: all cores. Beside those that make a step, as
  // many measure the labels of the next batch (LabelKind::batch): with 1, two cores are busy.
  std::size_t threads = 0;
  LabelKind labels = LabelKind::automatic;

  // Seconds from `started` on (the call of train(), where it is not set), for everything from
  // reading to the last validation, that replace the recipe's budget in steps; 0: none. Those that
  // a run took before its checkpoint count, too. At least one step is made, and what was begun, a
  // step or a validation, is finished: with trips of 100,000 points either takes minutes.
  double time_budget = 0;
  bool steps_too = false;  // with a budget of time: the recipe's steps end it as well
  std::optional<std::chrono::steady_clock::time_point> started;

  std::optional<Model> init;  // weights to start from; its net must be that of the recipe
  bool rebox = false;         // with init: fit the box anew, for another region

  // Kept up to date while training, and left for the caller to remove; empty: none. It belongs to
  // one run at a time: of two, each would replace the other's. A run that starts over replaces the
  // checkpoint of another, but no other file. A resumed run may have another budget: learning rate
  // and validations then stand where that one would have them after what was done before.
  std::filesystem::path checkpoint;
  bool resume = false;  // go on from that checkpoint, if it is there

  // JSON object, to be kept in the model, with what training adds: "seed", "recipe", figures, …
  std::string provenance = "{}";
};

// Throws Error(bad_input) naming the first trip to train on, or to choose weights by, that has no
// points, or too few for the measure; so does train().
void check_lengths(const Dataset& data, const TrainOptions& options);

// Throws Error(usage) where a run that starts over would replace a file at `checkpoint` that is no
// checkpoint that can be read, Error(failure) where none can be written there; so does train().
void check_checkpoint(const TrainOptions& options);

// What is done before the first step.
enum class TrainStage {
  reading,    // every trip, some times: is it the same data, does it fit, what is its extent
  composing,  // trips of trips
  measuring,  // true distances
};

// What training will work with, known before its first step.
struct TrainFacts {
  std::size_t train = 0, validation = 0;  // trips
  std::size_t for_validation = 0;         // of which those for validation were drawn
  std::size_t composed = 0;               // made of the training trips
  std::uint64_t train_points = 0, validation_points = 0;
  std::uint64_t parameters = 0;
  double largest = 0;         // distance in a sample; labels are divided by it
  double label_seconds = 0;   // spent on true distances so far
  std::uint64_t step = 0;     // where a checkpoint was resumed
  bool other_budget = false;  // than that of the checkpoint
  double spent = 0;           // share of the budget
};

// What happens while training, for logs and progress.
struct TrainEvent {
  std::uint64_t step = 0;   // done so far
  std::uint64_t steps = 0;  // of the budget, as well as it is known
  double seconds = 0;       // of training, those before a checkpoint included
  double all_seconds = 0;   // with all that was done before the first step
  double rate = 0;
  double loss = 0;  // mean since the last validation; where validated
  bool validated = false;
  bool improved = false;  // better than all before
  bool past = false;      // told again after a resume
  RetrievalScore score;   // on validation, where validated
  double best_hr10 = 0;
};

// Each may be left empty. They are called in the midst of work, and must not themselves measure,
// embed, search or train. What they throw stops the run and is let through; where `event` throws
// after a step was made, the run first saves its checkpoint and tells `stopped`; where the
// checkpoint cannot be saved, that error is thrown in its place. A run that fails by itself after a
// step saves its checkpoint too, if it can, unless its weights went astray.
struct TrainObserver {
  // Many times a second, by any thread but one at a time, until ready; not while a GPU measures.
  std::function<void(TrainStage, const ProgressState&)> preparing;
  std::function<void(const TrainFacts&)> ready;  // before the first step
  // At every validation and, with `pause` seconds between, beside and within steps, while labels
  // are waited for, and within validations; by any thread but one at a time. A step within which it
  // throws is as if it was not begun. On a GPU a step counts when it is asked for, and nothing is
  // told within it.
  std::function<void(const TrainEvent&)> event;
  double pause = 0.1;
  // The best model so far of a run that was stopped or failed; of one that was stopped before its
  // first validation, what its steps have come to. Not told before the first step.
  std::function<void(const Model&)> stopped;
};

// Throws Error: usage for options that cannot work, bad_input for data, checkpoints or models that
// do not fit them, failure for what the machine lacks or where training went astray.
Model train(const Dataset& data, const TrainOptions& options, const TrainObserver& observer = {});

// The plane that distances are taken in: that of the model to start from, or fitted to the data.
Space training_space(const Dataset& data, const TrainOptions& options);

}  // namespace tsmini
