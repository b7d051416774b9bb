// What rows become, with their columns: order, cuts, conditions and attributes, against a twin that
// keeps every value of every row and looks at all of them. The text is cut into batches at random
// places, which must make no difference.
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/assembler.h"
#include "data/clean_batch.h"
#include "data/reader.h"
#include "support/arguments.h"
#include "support/imports.h"

namespace tsmini {
namespace {

using Lines = std::vector<std::string>;

struct Row {
  std::string id;
  std::int64_t time = 0;
  int place = 0;
  std::vector<std::string> values;  // of flag, taxi, speed
};

const std::vector<std::string> names{"flag", "taxi", "speed"};

std::string line_of(const Row& row) {
  return fmt::format("{},{},{},{},{}\n", row.id, row.time, row.place * 0.001, row.place % 7,
                     fmt::join(row.values, ","));
}

// "ID | times | flag=1 taxi=7" for every trajectory, and what was counted.
struct Outcome {
  Lines trips;
  std::uint64_t unwanted = 0, reversed = 0, bad = 0, not_wanted = 0;
  std::map<std::string, std::uint64_t> changes;
};

std::string line_of(const TrackBatch& batch, const RowColumns& columns, const CleanedBatch& cleaned,
                    const Piece& piece) {
  std::string line(batch.id_of(batch.tracks[piece.track]));
  if (piece.number) line += fmt::format("_{}", *piece.number);
  line += " |";
  for (std::size_t i = piece.points.begin; i < piece.points.end; ++i) {
    line += fmt::format(" {}", batch.times[i]);
  }
  line += " |";
  for (std::size_t i = piece.values_begin; i < piece.values_end; ++i) {
    const PieceValue& value = cleaned.values[i];
    line += fmt::format(" {}={}", columns.columns[value.column].name,
                        batch.columns[value.column].text_of(value.run));
  }
  return line;
}

Outcome read_in_batches(const Lines& lines, const ImportOptions& options, Rows rows,
                        std::mt19937_64& random) {
  std::string text;
  for (const std::string& line : lines) text += line;
  ByteSource source("a.csv", text);
  const auto reader = make_reader(Format::csv, source, options.read);
  const RowColumns& columns = reader->row_columns();
  Assembler assembler("a", *reader, rows);
  Outcome outcome;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(begin + 1 + random() % 40, lines.size());
    TrackBatch batch;
    batch.first_of_file = begin == 0;
    for (; begin < end; ++begin) batch.text += lines[begin];
    reader->parse(batch);
    assembler.assemble(batch, end == lines.size());
    CleanedBatch cleaned;
    clean_batch(batch, columns, options, cleaned);
    for (const Piece& piece : cleaned.pieces) {
      outcome.trips.push_back(line_of(batch, columns, cleaned, piece));
    }
    outcome.unwanted += cleaned.unwanted;
    outcome.reversed += cleaned.reversed;
    outcome.bad += batch.problems.size();
    outcome.not_wanted += batch.dropped[static_cast<std::size_t>(Drop::not_wanted)];
    for (std::size_t c = 0; c < cleaned.changes.size(); ++c) {
      outcome.changes[columns.columns[c].name] += cleaned.changes[c];
    }
  }
  return outcome;
}

std::size_t column_of(const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

// The rows of one id, in the order of time; false where they have none.
bool put_in_order_naively(std::vector<Row>& rows, bool sort, Outcome& outcome) {
  const auto before = [](const Row& a, const Row& b) { return a.time < b.time; };
  if (std::is_sorted(rows.begin(), rows.end(), before)) return true;
  std::vector<Row> turned(rows.rbegin(), rows.rend());
  if (std::is_sorted(turned.begin(), turned.end(), before)) {
    rows = turned;
    ++outcome.reversed;
    return true;
  }
  if (sort) std::stable_sort(rows.begin(), rows.end(), before);
  return sort;
}

void add_trip(const std::string& id, const std::vector<Row>& rows, const ImportOptions& options,
              Outcome& outcome) {
  if (rows.size() < options.clean.min_points) return;
  std::string line = id + " |";
  for (const Row& row : rows) line += fmt::format(" {}", row.time);
  line += " |";
  for (std::size_t c = 0; c < names.size(); ++c) {
    const bool same = std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
      return row.values[c] == rows.front().values[c];
    });
    if (!same) ++outcome.changes[names[c]];
    if (same && !rows.front().values[c].empty()) {
      line += fmt::format(" {}={}", names[c], rows.front().values[c]);
    }
  }
  outcome.trips.push_back(line);
}

// Only what the test asks for: cuts on a column and at gaps, conditions, duplicates.
Outcome expected_of(const std::vector<Row>& all, const ImportOptions& options) {
  Outcome outcome;
  for (const std::string& name : names) outcome.changes[name] = 0;
  std::vector<std::string> ids;
  std::map<std::string, std::vector<Row>> tracks;
  for (const Row& row : all) {
    if (tracks[row.id].empty()) ids.push_back(row.id);
    tracks[row.id].push_back(row);
  }
  for (const std::string& id : ids) {
    std::vector<Row>& rows = tracks[id];
    if (!put_in_order_naively(rows, options.clean.sort_by_time, outcome)) {
      ++outcome.bad;
      continue;
    }
    std::vector<std::vector<Row>> parts(1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto cut_value = [&](const Row& row) {
        return row.values[column_of(options.read.cut_on)];
      };
      if (i > 0 && !options.read.cut_on.empty() && cut_value(rows[i]) != cut_value(rows[i - 1])) {
        parts.emplace_back();
      }
      const bool wanted = std::all_of(
          options.read.where.begin(), options.read.where.end(), [&](const Condition& condition) {
            return holds_for_text(condition, rows[i].values[column_of(condition.column)]);
          });
      if (wanted) {
        parts.back().push_back(rows[i]);
      } else {
        ++outcome.unwanted;
      }
    }
    std::vector<std::vector<Row>> pieces;
    for (const std::vector<Row>& part : parts) {
      if (part.empty()) continue;
      pieces.emplace_back();
      const Row* last = nullptr;
      for (const Row& row : part) {
        if (last != nullptr && last->place == row.place) continue;
        if (last != nullptr && options.cut.gap && row.time - last->time > *options.cut.gap) {
          pieces.emplace_back();
        }
        pieces.back().push_back(row);
        last = &row;
      }
    }
    if (pieces.empty()) ++outcome.not_wanted;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      add_trip(pieces.size() > 1 ? fmt::format("{}_{}", id, k) : id, pieces[k], options, outcome);
    }
  }
  return outcome;
}

std::vector<Row> random_rows(std::mt19937_64& random) {
  std::vector<Row> rows;
  const auto tracks = 1 + random() % 6;
  for (std::uint64_t t = 0; t < tracks; ++t) {
    std::vector<Row> track;
    std::int64_t time = 100;
    std::string flag = "0", taxi = fmt::format("t{}", random() % 2);
    int place = 1;
    for (std::uint64_t i = 0; i < 1 + random() % 60; ++i) {
      if (random() % 6 == 0) flag = random() % 8 == 0 ? "" : fmt::format("{}", random() % 2);
      if (random() % 50 == 0) taxi = fmt::format("t{}", random() % 3);
      if (random() % 4 != 0) ++place;
      time += static_cast<std::int64_t>(random() % 3 == 0 ? random() % 40 : 1);
      track.push_back(
          {fmt::format("id{}", t), time, place, {flag, taxi, fmt::format("{}", random() % 3)}});
    }
    const auto kind = random() % 4;
    if (kind == 1) std::reverse(track.begin(), track.end());
    if (kind == 2) std::shuffle(track.begin(), track.end(), random);
    rows.insert(rows.end(), track.begin(), track.end());
  }
  return rows;
}

void expect_same(const Outcome& found, const Outcome& wanted) {
  EXPECT_EQ(found.trips, wanted.trips);
  EXPECT_EQ(found.unwanted, wanted.unwanted);
  EXPECT_EQ(found.reversed, wanted.reversed);
  EXPECT_EQ(found.bad, wanted.bad);
  EXPECT_EQ(found.not_wanted, wanted.not_wanted);
  EXPECT_EQ(found.changes, wanted.changes);
}

TEST(AttributeRows, AsANaiveTwin) {
  std::mt19937_64 random(4);
  const std::vector<std::string> settings{
      "",
      "--sort-by-time",
      "--cut-on flag --sort-by-time",
      "--cut-on flag --where flag=1 --sort-by-time",
      "--where flag!=0 --sort-by-time --min-points 1",
      "--where speed>0 --where flag=1",
      "--cut-on speed --where taxi=t1 --min-points 1 --sort-by-time",
      "--cut-on flag --cut-gap 10 --sort-by-time",
      "--where flag= --min-points 1",
  };
  for (int round = 0; round < 400; ++round) {
    const std::string& words = settings[static_cast<std::size_t>(round) % settings.size()];
    SCOPED_TRACE(fmt::format("round {}: {}", round, words));
    const ImportOptions options = import_options_from(words);
    std::vector<Row> rows = random_rows(random);
    const bool scattered = random() % 2 == 0;
    if (scattered) std::shuffle(rows.begin(), rows.end(), random);
    Lines lines{"id,time,lon,lat,flag,taxi,speed\n"};
    for (const Row& row : rows) lines.push_back(line_of(row));
    expect_same(
        read_in_batches(lines, options, scattered ? Rows::scattered : Rows::consecutive, random),
        expected_of(rows, options));
    if (HasFailure()) return;
  }
}

// A column with another value at every point is given up, and what is told of it and of the others
// is the same however the file was cut.
TEST(AttributeRows, GivingUpDoesNotDependOnBatches) {
  Lines lines{"id,lon,lat,speed,taxi\n"};
  for (int i = 0; i < 3000; ++i) {
    lines.push_back(fmt::format("a,{},2,{},7\n", i * 0.001, i < 1000 || i % 2 == 0 ? i : 5));
  }
  for (int i = 0; i < 5; ++i) lines.push_back(fmt::format("b,{},2,9,8\n", i));
  ImportOptions options;
  options.cut.length = 1;
  options.clean.min_points = 1;
  std::mt19937_64 random(5);
  const Outcome once = read_in_batches(lines, options, Rows::consecutive, random);
  EXPECT_EQ(once.trips.size(), 3005u);
  // The points of `a` before the limit have a speed of their own.
  EXPECT_GT(once.changes.at("speed"), 2900u);
  EXPECT_LT(once.changes.at("speed"), 2950u);
  EXPECT_EQ(once.changes.at("taxi"), 0u);
  for (const Rows rows : {Rows::consecutive, Rows::scattered}) {
    expect_same(read_in_batches(lines, options, rows, random), once);
  }
}

TEST(AttributeRows, AColumnThatIsNeededIsNeverGivenUp) {
  Lines lines{"id,lon,lat,speed\n"};
  for (int i = 0; i < 3000; ++i) lines.push_back(fmt::format("a,{},2,{}\n", i * 0.001, i));
  std::mt19937_64 random(6);
  const ImportOptions options = import_options_from("--where speed>=2990");
  const Outcome found = read_in_batches(lines, options, Rows::consecutive, random);
  EXPECT_EQ(found.unwanted, 2990u);
  EXPECT_EQ(found.trips.size(), 1u);
}

}  // namespace
}  // namespace tsmini
