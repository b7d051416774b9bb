// Several processes add, remove, search, index and compact at once: all that was acknowledged is
// there in the end, nothing twice, and no search ever failed.
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tsmini/collection.h"

#include "fault/chaos_plan.h"
#include "fault/soundness.h"
#include "support/files.h"
#include "support/process.h"

namespace tsmini {
namespace {

struct Worker {
  std::string role, name;
};

// Takes the words of a log into account; counts them.
void follow(const std::string& log, const std::string& name, Ids& ids,
            std::map<std::string, int>& words) {
  std::istringstream lines(log);
  std::string line, word, last;
  while (std::getline(lines, line)) {
    std::istringstream in(line);
    in >> word;
    last = word;
    ++words[word];
    if (word == "failed") ADD_FAILURE() << name << ": " << line;
    for (std::string id; (word == "added" || word == "removed") && in >> id;) {
      if (word == "added") {
        ids.insert(id);
      } else {
        ids.erase(id);
      }
    }
  }
  EXPECT_EQ(last, "end") << name << " did not come to its end";
}

TEST(Chaos, ManyProcesses) {
  const TemporaryFolder folder;
  const std::string path = (folder / "c").string();
  Ids ids = ids_of(chaos_base());
  {
    Collection collection = Collection::create(path, small_model());
    collection.add(chaos_base());
    collection.make_index();
  }
  std::vector<Worker> workers = {{"write", "1"}, {"write", "2"},  {"write", "3"},  {"tidy", "4"},
                                 {"tidy", "5"},  {"search", "6"}, {"search", "7"}, {"model", "8"}};
  std::vector<std::unique_ptr<RunningProcess>> running;
  for (const Worker& worker : workers) {
    running.push_back(std::make_unique<RunningProcess>(Words{
        TSMINI_CHAOS_WORKER, worker.role, worker.name, path, (folder / worker.name).string()}));
  }
  for (const auto& process : running) EXPECT_EQ(process->wait().status, 0);
  std::map<std::string, int> words;
  for (const Worker& worker : workers) {
    follow(read_file(folder / worker.name), worker.role + " " + worker.name, ids, words);
  }
  for (const auto& [word, count] : words) fmt::print("{} {}\n", count, word);
  for (const char* word :
       {"added", "removed", "indexed", "compacted", "searched", "modelled", "unmodelled"}) {
    EXPECT_GT(words[word], 0) << word;
  }
  expect_sound(path, {ids});
}

}  // namespace
}  // namespace tsmini
