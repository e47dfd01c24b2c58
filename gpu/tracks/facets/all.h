#pragma once
// Every facet a track may offer, for those who ask for many.
#include "gpu/tracks/facets/accesses.h"      // IWYU pragma: export
#include "gpu/tracks/facets/approximate.h"   // IWYU pragma: export
#include "gpu/tracks/facets/batched.h"       // IWYU pragma: export
#include "gpu/tracks/facets/budget.h"        // IWYU pragma: export
#include "gpu/tracks/facets/compared.h"      // IWYU pragma: export
#include "gpu/tracks/facets/counted.h"       // IWYU pragma: export
#include "gpu/tracks/facets/curves.h"        // IWYU pragma: export
#include "gpu/tracks/facets/described.h"     // IWYU pragma: export
#include "gpu/tracks/facets/editable.h"      // IWYU pragma: export
#include "gpu/tracks/facets/explained.h"     // IWYU pragma: export
#include "gpu/tracks/facets/failure.h"       // IWYU pragma: export
#include "gpu/tracks/facets/fill.h"          // IWYU pragma: export
#include "gpu/tracks/facets/follower.h"      // IWYU pragma: export
#include "gpu/tracks/facets/map_alone.h"     // IWYU pragma: export
#include "gpu/tracks/facets/numbers.h"       // IWYU pragma: export
#include "gpu/tracks/facets/over_devices.h"  // IWYU pragma: export
#include "gpu/tracks/facets/rate.h"          // IWYU pragma: export
#include "gpu/tracks/facets/sealed_step.h"   // IWYU pragma: export
#include "gpu/tracks/facets/shape.h"         // IWYU pragma: export
#include "gpu/tracks/facets/stages.h"        // IWYU pragma: export
#include "gpu/tracks/facets/storage.h"       // IWYU pragma: export
#include "gpu/tracks/facets/threads.h"       // IWYU pragma: export
#include "gpu/tracks/facets/written.h"       // IWYU pragma: export
