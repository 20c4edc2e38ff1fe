#pragma once

#include "dynid/report/plot.h"

#include <string>

namespace dynid {

/// A plot over time that a reader can zoom and pan, with the values under the cursor; all plots of
/// the same group move together. Without JavaScript the static picture stays.
/// @param group  name of the plots that share their time axis
std::string timePlot(const LinePlot& plot, const std::string& group);

/// The script that makes the plots of a page interactive: dygraphs and what links the plots. Empty
/// where the program was built without dygraphs.
const std::string& plotScript();

/// The style sheet that belongs to it.
const std::string& plotStyle();

/// SHA-256 of a script in base64, as a content security policy names it.
std::string sha256Base64(const std::string& text);

}  // namespace dynid
