#pragma once

// Everything a panel draws with. Panels call nothing of ImGui's own widgets, so that every widget is recorded.

#include "viewer/ui/buttons.h"  // IWYU pragma: export
#include "viewer/ui/cards.h"    // IWYU pragma: export
#include "viewer/ui/context.h"  // IWYU pragma: export
#include "viewer/ui/fields.h"   // IWYU pragma: export
#include "viewer/ui/icons.h"    // IWYU pragma: export
#include "viewer/ui/text.h"     // IWYU pragma: export
