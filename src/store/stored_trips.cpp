#include "store/stored_trips.h"

#include "store/records.h"
#include "store/selection.h"

namespace tsmini {

StoredTrip StoredTrips::trip(std::int64_t row) const {
  return read_trip(database_, row);
}

RowSelection StoredTrips::select(const SearchFilter& filter) const {
  return select_rows(database_, filter);
}

}  // namespace tsmini
