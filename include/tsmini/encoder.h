// Embeds trajectories with a trained model: the model file is all it needs.
//
// The same network as in training, to 1e-4 of an embedding's length, with all folded together that
// is linear. An embedding depends on the trajectory, the model and the SIMD target alone: not on
// what else is embedded with it, nor on the number of threads, bit for bit. A trip of 50 points
// takes 0.2 ms on one AVX-512 core. Time grows with the length and, since every point attends to
// every other, beyond some 1,000 points with its square: a trip of 20,000 points takes 5 s, one of
// 200,000 eight minutes. Memory grows with the length only (about 2.5 kB a point). Long trips are
// better thinned out before; a heartbeat stops one that takes too long.
//
//   Encoder encoder(Model::load("frechet.safetensors"));
//   std::vector<float> e(encoder.dimension());
//   encoder.embed(trajectory.points, e);
//
// Embedding is const and may run on any number of threads; memory of a thread is kept between
// calls.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/embedding.h"
#include "tsmini/heartbeat.h"
#include "tsmini/model.h"
#include "tsmini/progress.h"

namespace tsmini {

class Encoder {
 public:
  // Copies what it needs of the model, laid out for the SIMD target in use: a later
  // force_simd_target() does not change it. Throws Error(bad_input) naming a tensor that is
  // missing, left over, not finite or of another shape than the model's settings ask for.
  explicit Encoder(const Model& model);
  ~Encoder();
  Encoder(Encoder&&) noexcept;

  std::size_t dimension() const;

  // One trajectory of 1 point or more, in the coordinates the model was trained on (degrees, or x
  // and y). Throws Error(bad_input) for a point outside the model's box: the network has never seen
  // anything there. Beats within.
  void embed(std::span<const Position> points, std::span<float> embedding,
             const Heartbeat& heartbeat = {}) const;

  // Rows of embeddings of the trajectories of `indices`, in that order, on all cores. Errors as
  // above, with the id; also where the data has degrees and the model x and y, or the reverse.
  // Progress counts trajectories, and is called within long ones too.
  void embed(const Dataset& data, std::span<const std::size_t> indices, std::span<float> rows,
             const Progress& progress = {}) const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace tsmini
