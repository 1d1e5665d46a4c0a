// open.js - the first screen of pmon.html: drop or choose logs
// SPDX-License-Identifier: MIT

import { $, el, setText } from "./dom.js";
import { isolated, plural } from "./format.js";

const FORMATS =
	"Drop a BLG file of Performance Monitor on the page, a CSV or TSV file of relog or typeperf, a SQLite log or JSON " +
	"lines; also compressed with gzip or zstd. Several logs are merged.";
const PRIVATE =
	"The logs stay on this machine: the page reads them itself, has no network access, and forgets them when it is " +
	"closed.";

const namesOf = (files) => (files.length === 1 ? isolated(files[0].name) : plural(files.length, "log", "logs"));

function screen() {
	const input = el("input", {
		type: "file",
		id: "open-file",
		multiple: true,
		hidden: true,
		tabindex: "-1",
		"aria-label": "Logs",
	});
	const choose = { click: () => input.click() };
	const button = el("button", { type: "button", class: "main", on: choose }, "Choose logs …");
	return el(
		"section",
		{ id: "opening", role: "main", "aria-labelledby": "opening-title" },
		el("h1", { id: "opening-title" }, "Open a performance log"),
		el("p", {}, FORMATS),
		el("p", {}, button, input),
		el("p", { id: "opening-error", class: "bad", role: "alert" }),
		el("p", { id: "opening-said", role: "status" }, PRIVATE),
	);
}

// The page from its beginning, without what the address says of the log.
function begin() {
	history.replaceState(null, "", location.pathname);
	location.reload();
}

// Shows the screen until open(files) has opened what the reader dropped or chose.
export function chooseLogs(open) {
	const section = screen();
	const input = section.querySelector("input");
	document.body.append(section);
	document.body.classList.add("locked");
	return new Promise((done) => {
		let isOpening = false;
		const end = new AbortController();
		const use = async (files) => {
			if (files.length === 0 || isOpening) return;
			isOpening = true;
			setText($("opening-error"), "");
			setText($("opening-said"), `Opening ${namesOf(files)} …`);
			const error = await open(files);
			isOpening = false;
			setText($("opening-said"), PRIVATE);
			if (error !== null) return setText($("opening-error"), error);
			end.abort();
			section.remove();
			document.body.classList.remove("locked");
			const title = "Close this log, and open another";
			$("page-tools").prepend(el("button", { type: "button", title, on: { click: begin } }, "Open …"));
			done();
		};
		document.addEventListener("drop", (event) => use([...event.dataTransfer.files]), { signal: end.signal });
		input.addEventListener("change", () => {
			use([...input.files]);
			input.value = ""; // so that the same file can be chosen again
		});
	});
}
