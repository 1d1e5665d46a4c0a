// style.c - the style of a report, on screen and on paper
// SPDX-License-Identifier: MIT

#include <math.h>

#include "verbs/report/report.h"

static const char *const style[] = {
	"*{box-sizing:border-box}\n"
	"html{color-scheme:light dark;-webkit-text-size-adjust:100%}\n"
	"body{margin:0;background:var(--page);color:var(--text);"
	"font:15px/1.5 system-ui,sans-serif}\n"
	"main,header,footer,nav{max-width:66rem;margin:0 auto;padding:0 1.25rem}\n"
	"header{padding-top:2.25rem}\n"
	"h1{font-size:1.75rem;line-height:1.2;margin:0 0 .4rem;overflow-wrap:anywhere}\n"
	"h2{font-size:1.25rem;line-height:1.3;margin:0 0 .9rem;padding-top:1.75rem;"
	"overflow-wrap:anywhere}\n"
	"h3{font-size:1rem;margin:0 0 .35rem}\n"
	".top h3{font-size:.9rem;margin:0 0 .35rem}\n"
	"p{margin:0 0 .6rem;max-width:46rem}\n"
	"section{border-top:1px solid var(--grid);margin-top:1.75rem}\n"
	"a{color:var(--s0)}\n"
	".sub,.limit,.more,.source,.i,.u,.t,.calm,footer{color:var(--muted)}\n"
	".limit{font-weight:400;font-size:.875rem}\n"
	".source,.more{font-size:.8125rem}.source{margin-top:.5rem}\n"
	".facts{display:flex;flex-wrap:wrap;gap:.75rem 2.25rem;margin:1rem 0 0}\n"
	".facts div{min-width:6rem}\n"
	"dt{color:var(--muted);font-size:.8125rem}\n"
	"dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}\n"
	"nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:1.1rem 0 0;"
	"padding:0;font-size:.875rem}\n",
	"table{border-collapse:collapse;font-size:.8125rem;line-height:1.35;"
	"font-variant-numeric:tabular-nums;width:100%}\n"
	"th,td{padding:.28rem .6rem .28rem 0;text-align:left;vertical-align:baseline;"
	"border-bottom:1px solid var(--grid)}\n"
	"th{font-weight:400}\n"
	"thead th{color:var(--muted);white-space:nowrap}\n"
	"tbody th{overflow-wrap:anywhere;min-width:9rem}\n"
	".n{text-align:right;white-space:nowrap}\n"
	"time,.u{white-space:nowrap}\n"
	".w,.average{font-weight:600}\n"
	".who{margin-top:.6rem}.scroll{margin-bottom:.7rem}\n"
	".hours td{text-align:center;padding:.15rem 0;font-size:.6875rem;width:3.6%}\n"
	".hours tbody th{min-width:7rem;white-space:nowrap;padding:.15rem .5rem .15rem 0}"
	".hours thead th{text-align:center;padding-right:0}"
	".of{padding-top:.9rem;font-weight:600;white-space:normal}\n"
	".glossary{columns:24rem 2;column-gap:2.25rem;margin:0;font-size:.875rem}\n"
	".glossary div{break-inside:avoid;margin-bottom:.5rem}.glossary dt{color:var(--text);"
	"font-weight:600}\n"
	".picture{position:relative}.lane [data-from]{cursor:pointer}\n"
	".crosshair{position:absolute;top:0;bottom:0;width:1px;background:var(--text);"
	"pointer-events:none;left:-1px}\n"
	".readout{font-size:.8125rem;min-height:1.5em;max-width:none;"
	"font-variant-numeric:tabular-nums;white-space:pre-wrap}\n"
	".shown{position:fixed;z-index:1;bottom:0;left:0;right:0;display:flex;flex-wrap:wrap;"
	"gap:.25rem 1rem;align-items:center;justify-content:center;padding:.5rem 1.25rem;"
	"background:var(--page);border-top:1px solid var(--axis);font-size:.875rem}\n"
	".shown[hidden],.zoomed .times{display:none}.shown button{font:inherit;padding:.2rem "
	".75rem}\n"
	".zoomed .series path,.zoomed .beyond path{vector-effect:non-scaling-stroke}\n"
	".differences td{width:13%}\n"
	".values td:first-child,.values thead td{width:1.9rem}\n"
	".scroll,.picture{overflow-x:auto}\n"
	"figure{margin:0 0 1.4rem}\n"
	"figcaption{font-weight:600;margin-bottom:.35rem}\n"
	"svg{display:block;width:100%;min-width:40rem;height:auto;"
	"font-family:system-ui,sans-serif}\n"
	".swatch{display:inline-block;width:1.25rem;height:.2rem;vertical-align:middle;"
	"border-radius:1px}\n"
	".tops{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));"
	"gap:1.25rem 2.25rem;margin-bottom:1.25rem}\n"
	".bar{width:22%}\n"
	".bar span{display:block;height:.5rem;background:var(--s0);border-radius:1px}\n",
	"details{margin:.5rem 0}\n"
	"summary{cursor:pointer;color:var(--muted);font-size:.875rem;margin-bottom:.35rem}\n"
	".finding{border-left:.25rem solid var(--warn);padding:.1rem 0 .1rem 1rem;"
	"margin:0 0 1.5rem}\n"
	".finding{scroll-margin-top:.5rem}.finding.critical{border-color:var(--alarm)}\n"
	".incident{border-left:.25rem solid var(--warn);padding:.1rem 0 .1rem 1rem;"
	"margin:0 0 1.75rem;scroll-margin-top:.5rem}\n"
	".incident.critical{border-color:var(--alarm)}.incident.note{border-color:var(--muted)}\n"
	".incident h3{font-size:1.0625rem}.incident p{margin:0 0 .35rem;max-width:none}\n"
	".paper{display:none}.cause{font-weight:600}.also{font-size:.875rem}.legend{list-style:"
	"none;display:flex;flex-"
	"wrap:wrap;"
	"gap:.1rem 1.25rem;margin:.15rem 0 .5rem;padding:0;font-size:.8125rem}\n"
	".swatch.area{height:.7rem;vertical-align:-.05em}"
	".swatch.rest{background:color-mix(in srgb,var(--muted) 50%,var(--page))}\n"
	".summary{font-size:1.0625rem;max-width:none;margin-top:.9rem}\n"
	".timeline,.incidents{margin-bottom:1.5rem}\n"
	".timeline td:nth-child(2),.incidents td:nth-child(2){width:30%}\n"
	".timeline tbody th,.incidents tbody th{min-width:13rem}\n"
	".ends{display:flex;justify-content:space-between;gap:.75rem}\n"
	".lane{display:block;position:relative;height:.9rem;background:var(--grid);"
	"border-radius:1px;overflow:hidden;min-width:8rem}\n"
	".lane span{position:absolute;top:0;bottom:0;min-width:2px;background:var(--warn)}\n"
	".lane .critical{background:var(--alarm)}.lane .note{background:var(--muted)}\n"
	".lane :focus-visible{outline:2px solid var(--text);outline-offset:-2px;min-width:6px}\n"
	".badge{display:inline-block;font-size:.75rem;font-weight:600;padding:.05rem .5rem;"
	"border-radius:.2rem;background:var(--warn);color:var(--page);vertical-align:.08em}\n"
	".critical .badge{background:var(--alarm)}.note .badge{background:var(--muted)}\n"
	"footer{padding-top:1.5rem;padding-bottom:2.5rem;font-size:.8125rem}\n"
	"@media screen and (max-width:40rem){header{padding-top:1.25rem}h1{font-size:1.4rem}"
	"svg{min-width:44rem}svg text{font-size:14px}"
	".values .t,.values thead th:nth-last-child(2),.values thead th:nth-last-child(4)"
	"{display:none}}\n"
	"@media print{"
	".crosshair,.readout,.shown "
	"button,nav{display:none}.shown{position:static}@page{margin:15mm;@bottom-right{content:"
	"counter(page) \" / \" counter(pages);font-size:8pt}}body{font-size:10pt}"
	"table{font-size:7.5pt}thead th{white-space:normal}th,td{padding-right:.35rem}"
	"tbody th,.timeline tbody th{min-width:5rem}.lane{min-width:4rem}"
	"main,header,footer{max-width:none;padding-left:0;padding-right:0}"
	"article,figure,.top,.hours tbody{break-inside:avoid}"
	"svg text{font-size:13px}.incident svg text{font-size:12px}"
	"h2,h3,h2+p,figcaption{break-after:avoid}p{orphans:3;widows:3}"
	"a[href^=http]::after{content:\" \\2039\" attr(href) \"\\203a\";overflow-wrap:anywhere}"
	"figure>.picture,tr,.finding>h3,.finding>p{break-inside:avoid}"
	"thead{display:table-header-group}"
	".scroll,.picture{overflow:visible}svg{min-width:0}"
	".badge,.bar span,.lane,.lane "
	"span,.swatch,.hours td{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
	"details:not([open]){display:none}details[open] summary{list-style:none}"
	".unprinted,.finding .picture,.finding .scroll,.finding .who{display:none}"
	".paper{display:block}section{margin-top:4mm}h2{padding-top:3mm;margin-bottom:2mm}"
	".incident,.finding{margin-bottom:4mm}.incident h3,.finding h3{font-size:10pt}"
	".incident .picture{max-width:170mm}"
	".key td,.key th{padding-top:.1rem;padding-bottom:.1rem}"
	".glossary{columns:2;font-size:7.5pt}}\n",
};

static void
put_colours(struct html *html, enum draw_theme theme)
{
	struct draw_named_colour c;

	html_markup(html, ":root{");
	for (size_t i = 0; draw_colour_at(theme, i, &c); i++)
		html_format(html, "--%s:#%02x%02x%02x;", c.name, (unsigned)lround(c.rgb.r * 255),
			    (unsigned)lround(c.rgb.g * 255), (unsigned)lround(c.rgb.b * 255));
	html_markup(html, theme == DRAW_LIGHT ? "--warn:#9a5b00}" : "--warn:#e8a33d}");
}

void
report_style(struct html *html)
{
	html_markup(html, "<style>\n");
	put_colours(html, DRAW_LIGHT);
	// Paper is white, whatever the screen's colors are.
	html_markup(html, "\n@media screen and (prefers-color-scheme:dark){");
	put_colours(html, DRAW_DARK);
	html_markup(html, "}\n");
	for (int i = 0; i < DRAW_PALETTE; i++)
		html_format(html, ".c%d{background:var(--s%d)}\n", i, i);
	for (int i = 1; i <= 5; i++)
		html_format(html,
			    ".h%d{background:color-mix(in srgb,var(--s0) %d%%,var(--page))}\n", i,
			    i * 10);
	for (size_t i = 0; i < sizeof(style) / sizeof(style[0]); i++)
		html_markup(html, style[i]);
	html_markup(html, "</style>\n");
}
