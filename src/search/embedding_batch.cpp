#include "search/embedding_batch.h"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include "tsmini/embedding.h"
#include "tsmini/error.h"
#include "tsmini/flaws.h"

#include "base/utf8.h"
#include "search/row_store.h"

namespace tsmini {

EmbeddingBatch embed_batch(const Model& model, const Encoder& encoder, const Dataset& data,
                           std::span<const std::size_t> indices, const Progress& progress) {
  std::vector<std::string> flaws(indices.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, indices.size(), 256),
                    [&](const auto& range) {
                      for (std::size_t i = range.begin(); i < range.end(); ++i) {
                        flaws[i] = flaw_of(model, data[indices[i]]);
                      }
                    });
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (flaws[i].empty()) chosen.push_back(indices[i]);
  }
  std::vector<float> rows(chosen.size() * encoder.dimension());
  encoder.embed(data, chosen, rows, progress);
  // Where this runs within a task of somebody else's that was cancelled, rows are missing.
  if (tbb::is_current_task_group_canceling()) {
    throw Error(ErrorCode::interrupted, "interrupted while trips were embedded");
  }

  // A model whose weights are finite and absurd gives embeddings that are not.
  EmbeddingBatch batch;
  batch.dimension = encoder.dimension();
  for (std::size_t i = 0, next = 0; i < indices.size(); ++i) {
    if (flaws[i].empty()) {
      const auto row = std::span(rows).subspan(batch.dimension * next++, batch.dimension);
      if (is_comparable(row)) {
        batch.fit.push_back(i);
        batch.rows.insert(batch.rows.end(), row.begin(), row.end());
        continue;
      }
      flaws[i] = "gets an embedding from the model that is not finite or too large";
    }
    if (batch.unfit.empty()) {
      batch.first_flaw = fmt::format("trip '{}' {}", printable(data[indices[i]].id), flaws[i]);
    }
    batch.unfit.push_back(i);
  }
  return batch;
}

}  // namespace tsmini
