#pragma once

#include <string>
#include <vector>

namespace dynid {

/// A whole self-contained page (well-formed as XML too): style inside, nothing fetched, no script
/// but that of its plots, which the page's content security policy names by its hash.
/// @param title  text
/// @param body   markup
std::string htmlPage(const std::string& title, const std::string& body);

/// `<section>` with a heading (text) over ready markup; "" for no markup.
std::string htmlSection(const std::string& heading, const std::string& markup);

/// Markup under a heading that opens with a click; "" for no markup.
std::string foldedSection(const std::string& heading, const std::string& markup);

/// A short word on coloured ground: kind "good", "bad" or "open". The word itself says it, the
/// colour only helps.
std::string badge(const std::string& kind, const std::string& text);

/// A figure with its name, for the row at the top.
std::string tile(const std::string& name, const std::string& figure);

/// A list of texts; "" for none.
std::string htmlList(const std::vector<std::string>& texts);

/// A paragraph of text.
std::string paragraph(const std::string& text, const std::string& kind = "");

}  // namespace dynid
