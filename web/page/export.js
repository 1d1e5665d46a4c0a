// export.js - the view as a file: PNG and SVG are drawn here, CSV and JSON come from the server
// SPDX-License-Identifier: MIT

import { address } from "./api.js";
import { $, el } from "./dom.js";
import { mainSet, shown } from "./load.js";
import { CanvasSurface, SvgSurface } from "./surface.js";
import { drawPicture, pictureSize } from "./picture.js";
import { sharedFile } from "./share.js";
import { knownCounters } from "./state.js";

const PNG_RATIO = 2; // sharp on dense screens and on paper
const KEPT_MS = 10000; // browsers take what is saved in their own time

function nameOf(ending) {
	const name = (mainSet()?.name ?? "pmon").replace(/[^\w.-]+/g, "-").slice(0, 80);
	return `${name}.${ending}`;
}

function save(link) {
	document.body.append(link);
	link.click();
	link.remove();
}

function savePicture(surface, ending) {
	drawPicture(surface);
	saveBlob(surface.blob(), ending);
}

function saveBlob(blob, ending) {
	const url = URL.createObjectURL(blob);
	save(el("a", { href: url, download: nameOf(ending) }));
	setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

// Values of the window in effect, all counters of the legend.
function saveValues(format) {
	const ids = knownCounters().map((counter) => counter.series.id);
	const { from, to } = shown.data;
	save(
		el("a", {
			href: address("export", { set: 0, ids, from, to, format }),
			download: nameOf(format),
		}),
	);
}

const FORMS = {
	png: () => {
		const { width, height } = pictureSize();
		return savePicture(new CanvasSurface(width, height, PNG_RATIO), "png");
	},
	svg: () => {
		const { width, height } = pictureSize();
		return savePicture(new SvgSurface(width, height), "svg");
	},
	html: async () => saveBlob(await sharedFile(), "html"),
	csv: () => saveValues("csv"),
	json: () => saveValues("json"),
	link: () => navigator.clipboard.writeText(location.href),
};

export function openExport() {
	if (shown.data) $("export").showModal();
}

export function startExport(status) {
	for (const button of document.querySelectorAll("[data-export]")) {
		button.addEventListener("click", async () => {
			$("export").close();
			try {
				await FORMS[button.dataset.export]();
				status(
					button.dataset.export === "link"
						? "The link is in the clipboard."
						: "",
				);
			} catch (error) {
				status(`That could not be saved: ${error.message}`);
			}
		});
	}
}
