#pragma once

#include "dynid/report/plot.h"

#include <string>

namespace dynid {

/// A plot over time with zoom, pan and the values at the cursor. All plots of the same group share
/// zoom and pan. Without JavaScript the static picture is shown.
std::string timePlot(const LinePlot& plot, const std::string& group);

/// The script that makes the plots of a page interactive: dygraphs and the code that links the
/// plots. Empty if the program was built without dygraphs.
const std::string& plotScript();

/// The style sheet of the interactive plots.
const std::string& plotStyle();

/// SHA-256 of a script in base64, as a content security policy names it.
std::string sha256Base64(const std::string& text);

}  // namespace dynid
