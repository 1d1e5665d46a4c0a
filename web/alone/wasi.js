// wasi.js - what a WebAssembly program needs of its system (WASI preview 1): files in memory, files to read, clocks
// SPDX-License-Identifier: MIT
//
// Inputs are read by position and never copied as a whole. What the program writes stays in memory, page by page, and
// goes with it.

const OK = 0;
const EBADF = 8;
const EEXIST = 20;
const EINVAL = 28;
const EIO = 29;
const EISDIR = 31;
const ENOENT = 44;
const ENOSYS = 52;
const ENOTDIR = 54;
const ENOTEMPTY = 55;
const EROFS = 69;

const TYPE_CHARACTER = 2;
const TYPE_FOLDER = 3;
const TYPE_FILE = 4;
const ALL_RIGHTS = 0xffffffffffffffffn;
const O_CREAT = 1;
const O_DIRECTORY = 2;
const O_EXCL = 4;
const O_TRUNC = 8;
const FLAG_APPEND = 1;
const ROOT = 3; // the descriptor of the folder that the program gets
const PAGE = 1 << 16; // bytes

// A file in memory.
class Written {
	size = 0;
	#pages = [];

	read(at, into) {
		const count = Math.max(0, Math.min(into.length, this.size - at));
		for (let done = 0; done < count; ) {
			const begin = (at + done) % PAGE;
			const part = Math.min(count - done, PAGE - begin);
			const page = this.#pages[Math.floor((at + done) / PAGE)];
			if (page) into.set(page.subarray(begin, begin + part), done);
			else into.fill(0, done, done + part);
			done += part;
		}
		return count;
	}

	write(at, bytes) {
		for (let done = 0; done < bytes.length; ) {
			const begin = (at + done) % PAGE;
			const part = Math.min(bytes.length - done, PAGE - begin);
			const page = (this.#pages[Math.floor((at + done) / PAGE)] ??= new Uint8Array(PAGE));
			page.set(bytes.subarray(done, done + part), begin);
			done += part;
		}
		this.size = Math.max(this.size, at + bytes.length);
		return OK;
	}

	resize(size) {
		if (size < this.size) {
			this.#pages.length = Math.ceil(size / PAGE);
			this.#pages.at(-1)?.fill(0, size % PAGE || PAGE);
		}
		this.size = size;
		return OK;
	}
}

// A file that the program only reads: {size, read(at, into) -> count} is what the caller has.
class Input {
	constructor(source) {
		this.size = source.size;
		this.read = (at, into) => source.read(at, into);
	}

	write = () => EROFS;
	resize = () => EROFS;
}

// What the program prints.
class Printed {
	size = 0;
	#take;

	constructor(take) {
		this.#take = take;
	}

	read = () => 0;
	resize = () => EINVAL;

	write(_, bytes) {
		this.#take(bytes.slice());
		return OK;
	}
}

const newFolder = () => new Map();

export class Exit extends Error {}

export class Wasi {
	#memory = null;
	#root = newFolder();
	#open = new Map(); // by descriptor: {node, at, flags}
	#numbers = new WeakMap(); // by node: programs compare them to recognize a file
	#nodes = 0;

	// print(bytes) gets what goes to standard error; standard output is dropped.
	constructor(print) {
		this.#open.set(0, { node: new Written(), at: 0, flags: 0 });
		this.#open.set(1, { node: new Printed(() => {}), at: 0, flags: FLAG_APPEND });
		this.#open.set(2, { node: new Printed(print), at: 0, flags: FLAG_APPEND });
		this.#open.set(ROOT, { node: this.#root, at: 0, flags: 0 });
		for (const path of ["tmp", "var", "var/tmp"]) this.#add(path, newFolder());
	}

	// The program sees a source, such as {size, read(at, into)}, under this path, whose folders are made.
	addInput(path, source) {
		const parts = path.split("/").filter(Boolean);
		for (let i = 1; i < parts.length; i++) {
			const folder = parts.slice(0, i).join("/");
			if (!this.#find(folder).node) this.#add(folder, newFolder());
		}
		this.#add(path, new Input(source));
	}

	// The functions that a module imports.
	imports(module) {
		const calls = {};
		for (const { name } of WebAssembly.Module.imports(module))
			calls[name] = typeof this[name] === "function" ? this[name].bind(this) : () => ENOSYS;
		return { wasi_snapshot_preview1: calls };
	}

	// Call once the module has its memory.
	useMemory(memory) {
		this.#memory = memory;
	}

	// ---- Memory of the program: it may have moved since the call before ----

	#view = () => new DataView(this.#memory.buffer);
	#bytes = (at, size) => new Uint8Array(this.#memory.buffer, at, size);
	#text = (at, size) => new TextDecoder().decode(this.#bytes(at, size));

	#put32(at, value) {
		this.#view().setUint32(at, value, true);
		return OK;
	}

	#put64(at, value) {
		this.#view().setBigUint64(at, BigInt(value), true);
		return OK;
	}

	// The pieces of memory that a list of (address, size) names.
	#pieces(list, count) {
		const view = this.#view();
		return Array.from({ length: count }, (_, i) =>
			this.#bytes(view.getUint32(list + 8 * i, true), view.getUint32(list + 8 * i + 4, true)),
		);
	}

	// ---- Paths ----

	// {folder, name, node}: node is undefined if the name is not in the folder; folder is, if there is none.
	#find(path) {
		const parts = [];
		for (const part of path.split("/")) {
			if (part === "..") parts.pop();
			else if (part !== "" && part !== ".") parts.push(part);
		}
		let folder = this.#root;
		if (parts.length === 0) return { folder, name: "", node: this.#root };
		for (const part of parts.slice(0, -1)) {
			folder = folder.get(part);
			if (!(folder instanceof Map)) return { folder: undefined, name: "", node: undefined };
		}
		return { folder, name: parts.at(-1), node: folder.get(parts.at(-1)) };
	}

	#add(path, node) {
		const { folder, name } = this.#find(path);
		folder.set(name, node);
	}

	#newDescriptor(open) {
		let fd = ROOT + 1;
		while (this.#open.has(fd)) fd++;
		this.#open.set(fd, open);
		return fd;
	}

	#putStat(at, node) {
		const view = this.#view();
		for (let i = 0; i < 64; i += 8) view.setBigUint64(at + i, 0n, true);
		if (!this.#numbers.has(node)) this.#numbers.set(node, ++this.#nodes);
		view.setBigUint64(at + 8, BigInt(this.#numbers.get(node)), true);
		view.setUint8(at + 16, typeOf(node));
		view.setBigUint64(at + 24, 1n, true); // links
		view.setBigUint64(at + 32, BigInt(node instanceof Map ? 0 : node.size), true);
		return OK;
	}

	// ---- Calls: descriptors ----

	fd_prestat_get(fd, at) {
		if (fd !== ROOT) return EBADF;
		this.#put32(at, 0);
		return this.#put32(at + 4, 1);
	}

	fd_prestat_dir_name(fd, at) {
		if (fd !== ROOT) return EBADF;
		this.#bytes(at, 1)[0] = 0x2f;
		return OK;
	}

	fd_fdstat_get(fd, at) {
		const open = this.#open.get(fd);
		if (!open) return EBADF;
		const view = this.#view();
		view.setUint32(at, 0, true);
		view.setUint8(at, typeOf(open.node));
		view.setUint16(at + 2, open.flags, true);
		view.setUint32(at + 4, 0, true);
		this.#put64(at + 8, ALL_RIGHTS);
		return this.#put64(at + 16, ALL_RIGHTS);
	}

	fd_fdstat_set_flags(fd, flags) {
		const open = this.#open.get(fd);
		if (!open) return EBADF;
		open.flags = flags;
		return OK;
	}

	fd_filestat_get(fd, at) {
		const open = this.#open.get(fd);
		return open ? this.#putStat(at, open.node) : EBADF;
	}

	fd_filestat_set_size(fd, size) {
		const open = this.#open.get(fd);
		return open ? open.node.resize(Number(size)) : EBADF;
	}

	fd_filestat_set_times = () => OK;
	fd_advise = () => OK;
	fd_sync = () => OK;
	fd_datasync = () => OK;

	fd_close(fd) {
		return this.#open.delete(fd) ? OK : EBADF;
	}

	#read(node, at, list, count) {
		if (node instanceof Map) return { error: EISDIR, got: 0 };
		let got = 0;
		try {
			for (const piece of this.#pieces(list, count)) {
				const n = node.read(at + got, piece);
				got += n;
				if (n < piece.length) break;
			}
		} catch {
			return { error: EIO, got: 0 }; // the browser can no longer read the file
		}
		return { error: OK, got };
	}

	fd_read(fd, list, count, result) {
		const open = this.#open.get(fd);
		if (!open) return EBADF;
		const { error, got } = this.#read(open.node, open.at, list, count);
		open.at += got;
		return error || this.#put32(result, got);
	}

	fd_pread(fd, list, count, at, result) {
		const open = this.#open.get(fd);
		if (!open) return EBADF;
		const { error, got } = this.#read(open.node, Number(at), list, count);
		return error || this.#put32(result, got);
	}

	#write(node, at, list, count) {
		if (node instanceof Map) return { error: EISDIR, done: 0 };
		let done = 0;
		for (const piece of this.#pieces(list, count)) {
			const error = node.write(at + done, piece);
			if (error) return { error, done };
			done += piece.length;
		}
		return { error: OK, done };
	}

	fd_write(fd, list, count, result) {
		const open = this.#open.get(fd);
		if (!open) return EBADF;
		if (open.flags & FLAG_APPEND) open.at = open.node.size;
		const { error, done } = this.#write(open.node, open.at, list, count);
		open.at += done;
		return error || this.#put32(result, done);
	}

	fd_pwrite(fd, list, count, at, result) {
		const open = this.#open.get(fd);
		if (!open) return EBADF;
		const { error, done } = this.#write(open.node, Number(at), list, count);
		return error || this.#put32(result, done);
	}

	fd_seek(fd, offset, whence, result) {
		const open = this.#open.get(fd);
		if (!open || open.node instanceof Printed) return EBADF;
		const from = [0, open.at, open.node.size][whence];
		const at = from + Number(offset);
		if (!(at >= 0)) return EINVAL;
		open.at = at;
		return this.#put64(result, at);
	}

	fd_tell(fd, result) {
		return this.fd_seek(fd, 0n, 1, result);
	}

	// ---- Calls: paths, all of which begin at the only folder that the program gets ----

	path_open(fd, _, at, size, how, _rights, _inheriting, flags, result) {
		const { folder, name, node } = this.#find(this.#text(at, size));
		let found = node;
		if (!folder) return ENOENT;
		if (found && how & O_CREAT && how & O_EXCL) return EEXIST;
		if (!found && !(how & O_CREAT)) return ENOENT;
		if (!found) folder.set(name, (found = new Written()));
		if (how & O_DIRECTORY && !(found instanceof Map)) return ENOTDIR;
		if (how & O_TRUNC) {
			const error = found instanceof Map ? EISDIR : found.resize(0);
			if (error) return error;
		}
		return this.#put32(result, this.#newDescriptor({ node: found, at: 0, flags }));
	}

	path_filestat_get(fd, _, at, size, result) {
		const { node } = this.#find(this.#text(at, size));
		return node ? this.#putStat(result, node) : ENOENT;
	}

	path_create_directory(fd, at, size) {
		const { folder, name, node } = this.#find(this.#text(at, size));
		if (!folder) return ENOENT;
		if (node) return EEXIST;
		folder.set(name, newFolder());
		return OK;
	}

	// An open file lives on without its name.
	path_unlink_file(fd, at, size) {
		const { folder, name, node } = this.#find(this.#text(at, size));
		if (!node) return ENOENT;
		if (node instanceof Map) return EISDIR;
		folder.delete(name);
		return OK;
	}

	path_remove_directory(fd, at, size) {
		const { folder, name, node } = this.#find(this.#text(at, size));
		if (!node) return ENOENT;
		if (!(node instanceof Map)) return ENOTDIR;
		if (node.size > 0) return ENOTEMPTY;
		folder.delete(name);
		return OK;
	}

	// Another name for the same file.
	path_link(fd, _flags, at, size, _, to, toSize) {
		const { node } = this.#find(this.#text(at, size));
		const target = this.#find(this.#text(to, toSize));
		if (!node || !target.folder) return ENOENT;
		if (target.node) return EEXIST;
		target.folder.set(target.name, node);
		return OK;
	}

	path_rename(fd, at, size, _, to, toSize) {
		const from = this.#find(this.#text(at, size));
		const target = this.#find(this.#text(to, toSize));
		if (!from.node || !target.folder) return ENOENT;
		from.folder.delete(from.name);
		target.folder.set(target.name, from.node);
		return OK;
	}

	// ---- Calls: the rest ----

	clock_time_get(id, _, result) {
		const ms = id === 0 ? Date.now() : performance.now();
		return this.#put64(result, BigInt(Math.round(ms * 1000)) * 1000n);
	}

	clock_res_get(_, result) {
		return this.#put64(result, 1000n);
	}

	random_get(at, size) {
		for (let done = 0; done < size; done += PAGE) // as much as the browser gives at a time
			crypto.getRandomValues(this.#bytes(at + done, Math.min(PAGE, size - done)));
		return OK;
	}

	environ_sizes_get(count, size) {
		this.#put32(count, 0);
		return this.#put32(size, 0);
	}

	environ_get = () => OK;

	args_sizes_get(count, size) {
		return this.environ_sizes_get(count, size);
	}

	args_get = () => OK;
	sched_yield = () => OK;

	proc_exit(status) {
		throw new Exit(`pmon ended with status ${status}`);
	}
}

function typeOf(node) {
	if (node instanceof Map) return TYPE_FOLDER;
	return node instanceof Printed ? TYPE_CHARACTER : TYPE_FILE;
}
