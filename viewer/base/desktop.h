#pragma once

namespace warploom {

/// The user asked the desktop for less motion: by the portal's setting, GNOME's, GTK's or KDE's, whichever is there. It
/// may start other programs and wait for them, up to some seconds.
bool desktop_reduces_motion();

}  // namespace warploom
