#pragma once
#include "viewer/app/app.h"

namespace warploom {

/// Throws UsageError for an option that has no effect beside `--tour` or `--puzzle` in a run. `answers`: settings are
/// an answer there.
void refuse_beside(const char* option, const Options& given, bool answers);

}  // namespace warploom
