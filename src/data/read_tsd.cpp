#include "data/read_tsd.h"

#include <utility>

#include <fmt/format.h>

#include "tsmini/dataset.h"
#include "tsmini/error.h"

namespace tsmini {
namespace {

class TsdReader : public Reader {
 public:
  TsdReader(Dataset data, const ReadOptions& options) : data_(std::move(data)), options_(options) {}

  bool fill(TrackBatch& batch) override {
    TrackBuilder builder(batch, options_);
    while (next_ < data_.size() && batch.bytes < batch_bytes) {
      const Trajectory t = data_[next_++];
      builder.begin(next_);
      bool good = true;
      for (std::size_t i = 0; good && i < t.size(); ++i) {
        good = builder.add(t.points[i].lon, t.points[i].lat);
        if (good && t.has_times()) builder.add_time(t.times[i]);
      }
      if (good) {
        for (const Attribute& a : attributes_of(data_, next_ - 1)) builder.add_attribute(a);
        builder.end(t.id, data_.part(next_ - 1));
      }
      batch.bytes += t.points.size_bytes() + t.times.size_bytes();
      ++batch.lines;
    }
    return batch.lines > 0;
  }

  std::string provenance() const override { return data_.info().provenance; }

 private:
  Dataset data_;
  const ReadOptions& options_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Reader> make_tsd_reader(const std::filesystem::path& path,
                                        const ReadOptions& options) {
  Dataset data = Dataset::open(path);
  if ((data.info().coordinates == Coordinates::planar) != options.planar) {
    throw Error(
        ErrorCode::bad_input,
        fmt::format("{}: coordinates are {}", path.string(), name_of(data.info().coordinates)),
        fmt::format("{} `planar`: all of an import must be degrees, or all of it planar",
                    options.planar ? "leave out" : "add"));
  }
  return std::make_unique<TsdReader>(std::move(data), options);
}

}  // namespace tsmini
