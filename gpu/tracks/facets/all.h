#pragma once
// Every facet a track may offer, for those who ask for many.
#include "gpu/tracks/facets/accesses.h"     // IWYU pragma: export
#include "gpu/tracks/facets/approximate.h"  // IWYU pragma: export
#include "gpu/tracks/facets/batched.h"      // IWYU pragma: export
#include "gpu/tracks/facets/budget.h"       // IWYU pragma: export
#include "gpu/tracks/facets/counted.h"      // IWYU pragma: export
#include "gpu/tracks/facets/curves.h"       // IWYU pragma: export
#include "gpu/tracks/facets/described.h"    // IWYU pragma: export
#include "gpu/tracks/facets/editable.h"     // IWYU pragma: export
#include "gpu/tracks/facets/explained.h"    // IWYU pragma: export
#include "gpu/tracks/facets/failing.h"      // IWYU pragma: export
#include "gpu/tracks/facets/filled.h"       // IWYU pragma: export
#include "gpu/tracks/facets/following.h"    // IWYU pragma: export
#include "gpu/tracks/facets/map_alone.h"    // IWYU pragma: export
#include "gpu/tracks/facets/networked.h"    // IWYU pragma: export
#include "gpu/tracks/facets/numbers.h"      // IWYU pragma: export
#include "gpu/tracks/facets/sealed_step.h"  // IWYU pragma: export
#include "gpu/tracks/facets/shaped.h"       // IWYU pragma: export
#include "gpu/tracks/facets/stored.h"       // IWYU pragma: export
#include "gpu/tracks/facets/threads.h"      // IWYU pragma: export
