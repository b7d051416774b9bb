// Embeds trajectories with a trained model: the model file is all it needs, LibTorch is not.
//
// The same network as in training, with batch norm folded into the convolutions. An embedding
// depends on the trajectory and the model alone: not on what else is embedded with it, nor on the
// number of threads, bit for bit. Memory for a trajectory grows with its length only, however long
// it is.
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
#include "tsmini/model.h"
#include "tsmini/progress.h"

namespace tsmini {

enum class Arithmetic {
  fp32,
  bf16,  // products of bfloat16 with sums in fp32: faster where the processor has them, else fp32
};

class Encoder {
 public:
  // Throws Error(bad_input) naming the tensor that is missing, left over or of another shape than
  // the model's settings ask for.
  explicit Encoder(const Model& model, Arithmetic arithmetic = Arithmetic::fp32);
  ~Encoder();
  Encoder(Encoder&&) noexcept;

  std::size_t dimension() const;
  // What is used: fp32 where bf16 was asked for and the processor lacks it.
  Arithmetic arithmetic() const;

  // One trajectory of 1 point or more, in the coordinates the model was trained on (degrees, or x
  // and y). Throws Error(bad_input) for a point outside the model's box: the network has never seen
  // anything there.
  void embed(std::span<const Position> points, std::span<float> embedding) const;

  // Rows of embeddings of the trajectories of `indices`, in that order, on all cores. An error
  // names the id. Progress counts trajectories.
  void embed(const Dataset& data, std::span<const std::size_t> indices, std::span<float> rows,
             const Progress& progress = {}) const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace tsmini
