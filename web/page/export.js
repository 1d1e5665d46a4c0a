// export.js - the view as a file: PNG and SVG are drawn here, CSV and JSON come from the server
// SPDX-License-Identifier: MIT

import { fileOf } from "./api.js";
import { $, el } from "./dom.js";
import { status } from "./heading.js";
import { mainSet, shown } from "./load.js";
import { CanvasSurface, SvgSurface } from "./surface.js";
import { drawPicture, pictureSize } from "./picture.js";
import { isRedacting, redactionNow, sharedFile } from "./share.js";
import { knownCounters } from "./state.js";

const PNG_RATIO = 2; // sharp on high-DPI screens and on paper
const KEPT_MS = 10000; // browsers start downloads with a delay

function nameOf(ending) {
	const name = (isRedacting() ? "pmon" : (mainSet()?.name ?? "pmon")).replace(/[^\w.-]+/g, "-").slice(0, 80);
	return `${name}.${ending}`;
}

// Draws the view, with the names replaced that the switch in Share replaces.
function drawShared(surface) {
	const redact = redactionNow();
	const [text, measure] = [surface.text.bind(surface), surface.measure.bind(surface)];
	surface.text = (x, y, string, style) => text(x, y, redact(string), style);
	surface.measure = (string, ...style) => measure(redact(string), ...style);
	drawPicture(surface);
	return surface.blob();
}

const savePicture = (surface, ending) => saveBlob(drawShared(surface), ending);

function saveBlob(blob, ending) {
	const url = URL.createObjectURL(blob);
	const link = el("a", { href: url, download: nameOf(ending) });
	document.body.append(link);
	link.click();
	link.remove();
	setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

// The values of all counters in the legend, in the current window.
async function saveValues(format) {
	const ids = knownCounters().map((counter) => counter.series.id);
	const { from, to } = shown.data;
	const blob = await fileOf("export", { set: 0, ids, from, to, format });
	const redact = redactionNow();
	saveBlob(isRedacting() ? new Blob([redact(await blob.text())], { type: blob.type }) : blob, format);
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

// The page as a file, said in a toast.
export const savePage = () => saveAs("html");

// The view as a picture in the clipboard; browsers that cannot do that get a file.
export async function copyPicture() {
	const { width, height } = pictureSize();
	const surface = new CanvasSurface(width, height, PNG_RATIO);
	const blob = drawShared(surface);
	try {
		await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
		status("The picture was copied to the clipboard.");
	} catch {
		saveBlob(blob, "png");
		status("This browser does not copy pictures: the picture was saved as a file.");
	}
}

export function openExport() {
	if (shown.data) $("export").showModal();
}

async function saveAs(form) {
	status("Saving …");
	try {
		await FORMS[form]();
		status(form === "link" ? "The link was copied to the clipboard." : "");
	} catch (error) {
		status(`Could not save: ${error.message}`, true);
	}
}

export function startExport() {
	for (const button of document.querySelectorAll("[data-export]")) {
		button.addEventListener("click", () => {
			$("export").close();
			saveAs(button.dataset.export);
		});
	}
}
