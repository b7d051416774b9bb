// Embeds trips by the thousand, as many as the model can take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/encoder.h"
#include "tsmini/model.h"
#include "tsmini/progress.h"

namespace tsmini {

struct EmbeddingBatch {
  std::size_t dimension = 0;
  std::vector<float> rows;         // of those that fit, side by side
  std::vector<std::size_t> fit;    // their numbers among `indices`, rising
  std::vector<std::size_t> unfit;  // of the others
  std::string first_flaw;          // why the first of these is one: "trip 'a' leaves the box …"

  std::span<const float> row(std::size_t place_in_fit) const {
    return std::span(rows).subspan(place_in_fit * dimension, dimension);
  }
};

// Embeds the trips `indices` on all cores. Progress counts trips that fit.
EmbeddingBatch embed_batch(const Model& model, const Encoder& encoder, const Dataset& data,
                           std::span<const std::size_t> indices, const Progress& progress);

}  // namespace tsmini
