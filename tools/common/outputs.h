// No output takes the place of an input. Every verb that writes says here what it reads and what it
// will write, before anything is opened for writing.
//
//   check_outputs({a.model, a.data}, {a.output, a.map});
//
// Files are told apart by what they are, not by how they are called: links of both kinds, "./" and
// ".." make no difference. The price is a look at each file, and at the folders above the outputs.
#pragma once

#include <filesystem>
#include <vector>

namespace tsmini::cli {

// Throws Error(usage) for an output that is one of the inputs, that is the same file as another
// output, or that lies inside a collection.
//
// An empty path is one that was not asked for; "-" is standard input or output. An input that is a
// folder stands for the files in it, as those of a collection; a verb that reads only some of them
// names these. The companions of an output, which get their names from it, are outputs too.
void check_outputs(const std::vector<std::filesystem::path>& inputs,
                   const std::vector<std::filesystem::path>& outputs);

// A data set may have any name but one that promises something else: throws Error(usage) for a name
// that ends as the files of another format do which tsmini reads or writes (.csv, .json, .gz, …).
void check_dataset_name(const std::filesystem::path& output);

}  // namespace tsmini::cli
