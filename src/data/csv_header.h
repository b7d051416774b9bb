// The names in the first line of a table, and which column a name means where several have it:
// none. Whoever reads the file has to say it by number, or give the columns names of their own.
//
// A header may have 4 MiB: it is read whole before anything else is, and any file may be taken for
// a table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/file_error.h"

namespace tsmini {

inline constexpr std::size_t longest_header = std::size_t{1} << 22;

// The first line of a table is not what it should be.
class BadHeader : public FileError {
 public:
  BadHeader(const std::string& file_name, std::string why, std::string hint)
      : FileError(file_name + ":1", std::move(why), std::move(hint)) {}
};

// Whether a file that begins so, with a line of which the end is not seen, may be a table: there
// are some fields, and nothing that no name of a column holds.
bool may_be_header(std::string_view beginning);

class CsvHeader {
 public:
  // The line is taken apart; blanks around names that are not in quotes are taken off. The line
  // must outlive this.
  CsvHeader(std::string_view line, char separator, std::string file_name);

  const std::vector<std::string_view>& names() const { return names_; }

  // The column that a user names, by number from 1 or by name (base/find_name.h). Throws
  // BadHeader where there is none, and where there are several.
  std::size_t place_of(std::string_view column) const;

  // Throws BadHeader where other columns have the name of this one.
  void require_single(std::size_t place) const;
  // The same for names in whatever case, where this one was taken for `role` because of its name.
  void require_single_for(std::string_view role, std::size_t place) const;

 private:
  [[noreturn]] void refuse(const std::vector<std::size_t>& places, std::string_view role) const;

  std::vector<std::string_view> names_;
  std::string file_name_;
};

// The name of the attribute that a column is, by its field of a header and its place from 0:
// "column3" where it has none.
std::string attribute_name(std::string_view field, std::size_t place);

// Names for attributes: the second column called "a" is "a_2", where no other is called that. Those
// without a name stay so.
std::vector<std::string> distinct_names(std::vector<std::string> names);

}  // namespace tsmini
