#include "dynid/report/html_page.h"

#include "dynid/report/interactive.h"
#include "dynid/report/markup.h"

namespace dynid {
namespace {

// Colours of Okabe and Ito, which can be distinguished with all kinds of colour vision: blue
// #0072B2, vermilion #D55E00, green #009E73, orange #E69F00.
constexpr const char* kStyle = R"(
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #fff; color: #1b1f24;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 32px 28px 64px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px; font-weight: 650; }
h2 { font-size: 18px; margin: 40px 0 10px; padding-bottom: 5px; border-bottom: 1px solid #d8dee4; font-weight: 650; }
summary { font-size: 18px; margin: 40px 0 10px; font-weight: 650; cursor: pointer; }
h3 { font-size: 15px; margin: 22px 0 6px; font-weight: 650; }
p { margin: 6px 0; max-width: 78ch; }
ul { margin: 6px 0; padding-left: 22px; max-width: 90ch; }
.sub { color: #57606a; overflow-wrap: anywhere; }
.badge { display: inline-block; padding: 1px 9px; border-radius: 10px; font-size: 13px; font-weight: 600;
  vertical-align: 2px; border: 1px solid; white-space: nowrap; }
.badge.good { background: #e3f5ee; color: #00563f; border-color: #8fd0ba; }
.badge.bad { background: #fcebe0; color: #8a3d00; border-color: #eeb48d; }
.badge.open { background: #f0f2f4; color: #57606a; border-color: #ccd2d8; }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; margin: 20px 0 8px; }
.tile { border: 1px solid #d8dee4; border-radius: 8px; padding: 9px 16px 11px; min-width: 130px; }
.tile b { display: block; font-size: 21px; font-weight: 600; font-variant-numeric: tabular-nums; line-height: 1.35; }
.tile span { color: #57606a; font-size: 13px; }
.scroll { overflow-x: auto; margin: 8px 0; }
table { border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: #57606a; border-bottom: 1px solid #afb8c1; padding: 4px 12px 4px 0;
  vertical-align: bottom; }
td { border-bottom: 1px solid #eaeef2; padding: 4px 12px 4px 0; vertical-align: middle; }
td.num, th.num { text-align: right; }
td.num { white-space: nowrap; }
td.wide { max-width: 420px; overflow-wrap: anywhere; }
code, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 12.5px; overflow-wrap: anywhere; }
.card { border: 1px solid #d8dee4; border-radius: 8px; padding: 10px 14px 8px; margin: 12px 0; break-inside: avoid; }
.card h3 { margin: 0 0 2px; }
.card .figures { color: #57606a; font-size: 13px; font-weight: 400; margin-left: 8px; }
.plots { display: grid; grid-template-columns: minmax(0, 3.3fr) minmax(0, 1fr); gap: 0 10px; align-items: end; }
.legend { color: #57606a; font-size: 13px; max-width: none; }
.key { display: inline-block; width: 22px; height: 0; border-top: 3px solid; vertical-align: 4px; margin: 0 5px 0 14px; }
.key.measured { border-color: #9aa3ac; } .key.predicted { border-color: #0072B2; } .key.residual { border-color: #D55E00; }
svg { display: block; max-width: 100%; height: auto; }
td svg { margin: 2px 0; }
svg text { font: 11px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; fill: #57606a; }
svg text.axis { fill: #1b1f24; }
svg .grid { stroke: #eaeef2; stroke-width: 1; }
svg .zero { stroke: #9aa3ac; stroke-width: 1; }
svg polyline { fill: none; stroke-linejoin: round; }
svg polyline.measured { stroke: #9aa3ac; stroke-width: 1.6; }
svg polyline.predicted { stroke: #0072B2; stroke-width: 1.2; }
svg polyline.residual { stroke: #D55E00; stroke-width: 0.9; }
svg .bar { fill: #D55E00; fill-opacity: 0.75; }
svg .whisker { stroke: #0072B2; stroke-width: 2; }
svg .dot { fill: #0072B2; }
.cells { white-space: nowrap; }
.cell { display: inline-block; width: 21px; height: 19px; margin-right: 2px; border-radius: 3px; text-align: center;
  font-size: 11px; line-height: 19px; color: #1b1f24; }
.cell.well { background: #8cc1e3; } .cell.badly { background: #f5cf80; } .cell.none { background: #e6e9ec; color: #57606a; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 18px; margin: 8px 0; font-size: 14px; }
dt { color: #57606a; } dd { margin: 0; overflow-wrap: anywhere; }
@media print {
  main { max-width: none; padding: 0; } body { font-size: 12px; }
  h2 { break-after: avoid; } tr, .tile { break-inside: avoid; } .scroll { overflow: visible; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)";

}  // namespace

std::string htmlPage(const std::string& title, const std::string& body) {
  const bool interactive = body.find("class=\"time-plot\"") != std::string::npos;
  const std::string script = interactive ? plotScript() : "";
  // The content security policy names the hash of this script. No other script or resource can run,
  // even if names in a log or robot file contain markup.
  const std::string policy =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
      "base-uri 'none'; form-action 'none'" +
      (script.empty() ? "" : "; script-src 'sha256-" + sha256Base64(script) + "'");
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
         policy +
         "\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n" +
         textElement("title", {}, title) + "\n<style>" + kStyle + (interactive ? plotStyle() : "") +
         "</style>\n</head>\n<body>\n<main>\n" + body + "</main>\n" +
         (script.empty() ? "" : "<script>" + script + "</script>\n") + "</body>\n</html>\n";
}

std::string foldedSection(const std::string& heading, const std::string& markup) {
  if (markup.empty()) return "";
  return "<details>\n" + textElement("summary", {}, heading) + "\n" + markup + "</details>\n";
}

std::string htmlSection(const std::string& heading, const std::string& markup) {
  if (markup.empty()) return "";
  return "<section>\n" + textElement("h2", {}, heading) + "\n" + markup + "</section>\n";
}

std::string badge(const std::string& kind, const std::string& text) {
  return textElement("span", {{"class", "badge " + kind}}, text);
}

std::string tile(const std::string& name, const std::string& figure) {
  return "<div class=\"tile\">" + textElement("b", {}, figure) + textElement("span", {}, name) +
         "</div>\n";
}

std::string htmlList(const std::vector<std::string>& texts) {
  if (texts.empty()) return "";
  std::string items;
  for (const std::string& text : texts) items += textElement("li", {}, text) + "\n";
  return "<ul>\n" + items + "</ul>\n";
}

std::string paragraph(const std::string& text, const std::string& kind) {
  return textElement("p", kind.empty() ? Attributes() : Attributes{{"class", kind}}, text) + "\n";
}

}  // namespace dynid
