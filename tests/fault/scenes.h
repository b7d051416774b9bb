// What is done to a collection while faults are met, and which trips are in it afterwards.
#pragma once

#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tsmini/collection.h"

#include "store/small_collection.h"

namespace tsmini {

using Ids = std::set<std::string>;

struct Scene {
  std::string name;
  std::function<void(Collection&)> play;
  Ids adds = {}, removes = {};

  Ids after(Ids ids) const {
    ids.insert(adds.begin(), adds.end());
    for (const std::string& id : removes) ids.erase(id);
    return ids;
  }
};

inline Ids ids_of(const Dataset& data) {
  Ids ids;
  for (std::size_t i = 0; i < data.size(); ++i) ids.emplace(data[i].id);
  return ids;
}

inline Scene adding(const std::string& name, const std::string& prefix, std::size_t count) {
  const Dataset data = small_trips(count, prefix, count);
  return {name, [data](Collection& c) { c.add(data); }, ids_of(data)};
}

inline Scene removing(const std::string& name, const std::vector<std::string>& ids) {
  return {name, [ids](Collection& c) { c.remove(ids); }, {}, {ids.begin(), ids.end()}};
}

inline Scene indexing(const std::string& name) {
  return {name, [](Collection& c) { c.make_index(); }};
}

inline Scene compacting(const std::string& name) {
  return {name, [](Collection& c) { c.compact(); }};
}

inline Scene modelling(const std::string& name, Measure measure) {
  return {name, [measure](Collection& c) { c.add_model(small_model(measure)); }};
}

inline Scene unmodelling(const std::string& name, Measure measure) {
  return {name, [measure](Collection& c) { c.remove_model(name_of(measure)); }};
}

// Those that make the collection that faults are met on: some indexed, some not, some removed.
inline std::vector<Scene> opening_scenes() {
  return {adding("first", "a", 20), indexing("index it"), adding("second", "b", 6),
          modelling("another", Measure::dtw), removing("fewer", {"a3", "b1"})};
}

// A verb of fault_writer.
inline Scene scene(const std::string& verb) {
  if (verb == "add") return adding(verb, "new", 5);
  if (verb == "remove") return removing(verb, {"a0", "b0"});
  if (verb == "index") return indexing(verb);
  if (verb == "compact") return compacting(verb);
  if (verb == "model") return modelling(verb, Measure::hausdorff);
  if (verb == "unmodel") return unmodelling(verb, Measure::dtw);
  throw std::runtime_error("no such verb: " + verb);
}

// A collection from its making on, told scene by scene.
inline std::vector<Scene> story_scenes() {
  std::vector<Scene> scenes = opening_scenes();
  scenes.push_back(adding("more", "c", 4));
  scenes.push_back(compacting("tidy"));
  scenes.push_back(unmodelling("one model less", Measure::dtw));
  scenes.push_back(adding("again", "a3x", 3));
  scenes.push_back(removing("last", {"a7", "c1"}));
  return scenes;
}

// Says "made" and then the name of each scene once it is done. Each is done by another handle, as
// by programs one after the other, but the last two.
template <class Say>
void tell_story(const std::string& folder, const Say& say) {
  Collection::create(folder, small_model());
  say("made");
  const std::vector<Scene> scenes = story_scenes();
  for (std::size_t i = 0; i + 2 < scenes.size(); ++i) {
    Collection collection = Collection::open(folder);
    scenes[i].play(collection);
    say(scenes[i].name);
  }
  Collection collection = Collection::open(folder);
  for (std::size_t i = scenes.size() - 2; i < scenes.size(); ++i) {
    scenes[i].play(collection);
    say(scenes[i].name);
  }
}

// A file that is on the disk, and then another in its place.
inline const std::string old_bytes(20'000, 'a'), new_bytes(30'000, 'b');

}  // namespace tsmini
