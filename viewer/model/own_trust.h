#pragma once

namespace warploom {

/// Whose code is run that comes with a scene: nobody's, that of texts which this user ran before, or everybody's. What
/// is loaded already is run in any case.
enum class OwnTrust { none, known, all };

}  // namespace warploom
