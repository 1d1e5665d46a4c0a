// surface.js - one set of drawing functions for a canvas and for an SVG
// SPDX-License-Identifier: MIT
//
// Each class that is exported has rect(x, y, width, height, color, alpha), rule(x1, y1, x2, y2, color),
// text(x, y, string, {size, color, align, bold}), measure(string, size, bold), and curve() and
// area(draw, {color, width, dash, alpha, clip}), where draw gets a path with moveTo and lineTo, and clip is
// {x, y, width, height}.

const FAMILY = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

// Shared by both.
class Surface {
	rule(x1, y1, x2, y2, color) {
		this.curve(
			(path) => {
				path.moveTo(x1, y1);
				path.lineTo(x2, y2);
			},
			{ color, width: 1 },
		);
	}
}

export class CanvasSurface extends Surface {
	constructor(width, height, ratio, canvas = document.createElement("canvas")) {
		super();
		this.canvas = canvas;
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(height * ratio);
		this.context = this.canvas.getContext("2d");
		this.context.scale(ratio, ratio);
	}

	rect(x, y, width, height, color, alpha = 1) {
		this.context.globalAlpha = alpha;
		this.context.fillStyle = color;
		this.context.fillRect(x, y, width, height);
		this.context.globalAlpha = 1;
	}

	measure(string, size, bold = false) {
		this.context.font = `${bold ? "600 " : ""}${size}px ${FAMILY}`;
		return this.context.measureText(string).width;
	}

	text(x, y, string, { size = 12, color, align = "left", bold = false }) {
		this.context.font = `${bold ? "600 " : ""}${size}px ${FAMILY}`;
		this.context.textAlign = align;
		this.context.fillStyle = color;
		this.context.fillText(string, x, y);
	}

	area(draw, style) {
		this.path(draw, style);
		this.context.fillStyle = style.color;
		this.context.fill();
		this.context.restore();
	}

	curve(draw, style) {
		this.path(draw, style);
		this.context.stroke();
		this.context.restore();
	}

	// Ends with a context that the caller restores.
	path(draw, { color, width = 1, dash = [], alpha = 1, clip = null }) {
		const { context } = this;
		context.save();
		if (clip) {
			context.beginPath();
			context.rect(clip.x, clip.y, clip.width, clip.height);
			context.clip();
		}
		Object.assign(context, {
			strokeStyle: color,
			lineWidth: width,
			globalAlpha: alpha,
			lineCap: "round",
			lineJoin: "round",
		});
		context.setLineDash(dash);
		context.beginPath();
		draw(context);
	}

	// At once, not by toBlob(): browsers may block a download that starts some time after the click.
	blob() {
		const bytes = atob(this.canvas.toDataURL("image/png").split(",")[1]);
		return new Blob([Uint8Array.from(bytes, (c) => c.charCodeAt(0))], {
			type: "image/png",
		});
	}
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g; // not allowed in XML
const escaped = (text) => text.replace(CONTROLS, "\ufffd").replace(/[&<>"]/g, (c) => ESCAPES[c]);
const short = (n) => String(Math.round(n * 100) / 100);

class SvgPath {
	constructor() {
		this.parts = [];
	}

	moveTo(x, y) {
		this.parts.push(`M${short(x)} ${short(y)}`);
	}

	lineTo(x, y) {
		this.parts.push(`L${short(x)} ${short(y)}`);
	}
}

export class SvgSurface extends Surface {
	constructor(width, height) {
		super();
		this.width = width;
		this.height = height;
		this.parts = [];
		this.clips = 0;
	}

	put(tag, attributes, text = null) {
		const list = Object.entries(attributes)
			.filter(([, value]) => value !== null)
			.map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
			.join("");
		this.parts.push(
			text === null
				? `<${tag}${list}/>`
				: `<${tag}${list}>${escaped(text)}</${tag}>`,
		);
	}

	rect(x, y, width, height, color, alpha = 1) {
		const box = { x: short(x), y: short(y), width: short(width), height: short(height) };
		this.put("rect", { ...box, fill: color, opacity: alpha === 1 ? null : alpha });
	}

	// Approximate widths for fonts of this family.
	measure(string, size, bold = false) {
		return [...string].length * size * (bold ? 0.6 : 0.56);
	}

	text(x, y, string, { size = 12, color, align = "left", bold = false }) {
		const anchor = { left: null, center: "middle", right: "end" }[align];
		this.put(
			"text",
			{
				x: short(x),
				y: short(y),
				"font-size": size,
				fill: color,
				"text-anchor": anchor,
				"font-weight": bold ? 600 : null,
			},
			string,
		);
	}

	area(draw, { color, ...style }) {
		this.curve(draw, { ...style, color: "none", width: 0, fill: color });
	}

	curve(draw, { color, width, dash = [], alpha = 1, clip = null, fill = "none" }) {
		const path = new SvgPath();
		draw(path);
		let id = null;
		if (clip) {
			id = `clip${this.clips++}`;
			this.parts.push(
				`<clipPath id="${id}"><rect x="${clip.x}" y="${clip.y}" ` +
					`width="${clip.width}" height="${clip.height}"/></clipPath>`,
			);
		}
		this.put("path", {
			d: path.parts.join(""),
			fill,
			stroke: color,
			"stroke-width": width,
			"stroke-dasharray": dash.length ? dash.join(" ") : null,
			opacity: alpha === 1 ? null : alpha,
			"stroke-linecap": "round",
			"stroke-linejoin": "round",
			"clip-path": id === null ? null : `url(#${id})`,
		});
	}

	blob() {
		const text =
			`<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" ` +
			`height="${this.height}" viewBox="0 0 ${this.width} ${this.height}" ` +
			`font-family="${escaped(FAMILY)}">\n${this.parts.join("\n")}\n</svg>\n`;
		return new Blob([text], { type: "image/svg+xml" });
	}
}
