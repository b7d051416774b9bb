#include "rivals/core/rival.h"
#include "rivals/kgts/kgts.h"
#include "rivals/movsemcl/movsemcl.h"
#include "rivals/neutraj/neutraj.h"
#include "rivals/t3s/t3s.h"
#include "rivals/tmn/tmn.h"
#include "rivals/trajcl/trajcl.h"
#include "rivals/trajgat/trajgat.h"

namespace tsmini::rivals {

const std::vector<RivalKind>& rival_kinds() {
  static const std::vector<RivalKind> all{neutraj_kind(), t3s_kind(),    tmn_kind(),
                                          trajgat_kind(), trajcl_kind(), kgts_kind(),
                                          movsemcl_kind()};
  return all;
}

}  // namespace tsmini::rivals
