#pragma once

#include <string>
#include <vector>

namespace dynid {

/// A complete self-contained page (also well-formed XML): embedded style, no external resources,
/// and no script except that of its plots, whose hash is in the page's content security policy.
/// @param title  text
/// @param body   markup
std::string htmlPage(const std::string& title, const std::string& body);

/// `<section>` with a heading (text) above the markup; "" if the markup is empty.
std::string htmlSection(const std::string& heading, const std::string& markup);

/// Markup below a heading that expands on a click; "" if the markup is empty.
std::string foldedSection(const std::string& heading, const std::string& markup);

/// A short word on a coloured background. @param kind  "good", "bad" or "open"; sets the colour
std::string badge(const std::string& kind, const std::string& text);

/// A figure with its name, for the row at the top of a page.
std::string tile(const std::string& name, const std::string& figure);

/// A list of texts; "" if there are none.
std::string htmlList(const std::vector<std::string>& texts);

/// A paragraph of text.
std::string paragraph(const std::string& text, const std::string& kind = "");

}  // namespace dynid
