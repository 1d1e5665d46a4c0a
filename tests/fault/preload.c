// preload.c - run a command again and again, each time with another failing system call or
// allocation
// SPDX-License-Identifier: MIT
//
// Load it with LD_PRELOAD. The command's main() runs in children of this process: first without a
// fault, then once for each n with the n-th call failing. The output and files of each run are
// compared with those of the first. System calls are caught by seccomp, so that those inside the C
// library and other libraries count too. These variables control it:
//
//	FAULT_CALL      memory, read, write, pread, pwrite, open, close, fsync, rename, link, mmap, truncate, send,
//	                receive, socket
//	FAULT_REST      1: every call from the n-th on fails
//	FAULT_TRIES     how many n are tried, spread evenly; 0: all of them
//	FAULT_OUTPUT    a file that the command writes; it is removed before each run
//	FAULT_LIVE      1: that file is written in place, so that a failure may leave a part of it
//	FAULT_CLIENT    a command for the shell, for a server: it gets the file of the server's standard output, its
//	                process and FAULT_OUTPUT, writes what it was answered, or nothing when it was refused, and ends
//	                the server. Standard output is not compared
//	FAULT_PRINTS    times: they are in standard output, which is not compared
//	FAULT_BEFORE    a command for the shell, before each run
//	FAULT_TERMINAL  1: standard output is a terminal, on which q is typed
//	FAULT_FOLDER    where standard output and standard error are kept
//	FAULT_ONLY      try this n alone
//	FAULT_IN        a part of the name of a function or library: calls from elsewhere do not count
//	FAULT_SECONDS   after which a run hangs; 120 by default
//
// A run passes if its output and status equal those of the run without a fault; or if it ends with
// status 1 or 3 after a message, which mentions memory if that failed, and leaves neither partial
// output nor a temporary file. A file that FAULT_BEFORE put in place of the output may stay
// unchanged. The exit status is 1 if a run failed, 77 if the test cannot run here.

#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define SECONDS    120 // after this a run counts as hanging
#define MOST_WRONG 60  // shown at most

typedef int (*main_fn)(int, char **, char **);

static unsigned long
number_of(const char *name)
{
	const char *value = getenv(name);

	return value != NULL ? strtoul(value, NULL, 10) : 0;
}

// What a run reports to its parent.
#define MOST_FRAMES 24

struct shared {
	atomic_ulong calls;
	atomic_bool reached;
	char callers[MOST_FRAMES *
		     200]; // of the first call that failed: a line each, library and function
};

static struct shared *shared;
static unsigned long fail_at; // 0: none
static bool fail_rest;
static atomic_bool counting; // of memory

static const char *only_in; // NULL: everywhere

// Is this address in a function, or a library, with the name only_in? A part of a name is enough.
static bool
is_in(void *frame)
{
	Dl_info info;

	if (dladdr(frame, &info) == 0)
		return false;
	return strstr(info.dli_fname, only_in) != NULL ||
	       (info.dli_sname != NULL && strstr(info.dli_sname, only_in) != NULL);
}

// dladdr() searches all symbols of a library, and every allocation asks for all of its frames, which
// are the same few thousand: what is known of an address is kept. Bit 0 is the answer, the others
// are the address, of which bit 63 is never set.
#define KNOWN_BITS 14

static _Atomic uint64_t known[1 << KNOWN_BITS];

static bool
is_known_in(void *frame)
{
	uint64_t address = (uint64_t)(uintptr_t)frame << 1;
	size_t slot = (address * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - KNOWN_BITS);
	uint64_t entry = atomic_load_explicit(&known[slot], memory_order_relaxed);

	if (entry >> 1 != address >> 1) {
		entry = address | is_in(frame);
		atomic_store_explicit(&known[slot], entry, memory_order_relaxed);
	}
	return entry & 1;
}

// Resolve the frames here, because only this process knows its libraries.
static void
keep_stack(void)
{
	void *frames[MOST_FRAMES];
	size_t used = 0;
	int n;

	if (atomic_exchange(&shared->reached, true))
		return;
	n = backtrace(frames, MOST_FRAMES);
	for (int i = 0; i < n && used < sizeof(shared->callers); i++) {
		Dl_info info;
		size_t room = sizeof(shared->callers) - used;
		int len = 0;

		if (dladdr(frames[i], &info) != 0)
			len = snprintf(shared->callers + used, room, "    %s(%s) %#tx\n",
				       info.dli_fname, info.dli_sname != NULL ? info.dli_sname : "",
				       (char *)frames[i] - (char *)info.dli_fbase);
		used += len > 0 ? (size_t)len : 0;
	}
}

static bool
counts(void)
{
	void *frames[MOST_FRAMES];
	int n;

	if (only_in == NULL)
		return true;
	n = backtrace(frames, MOST_FRAMES);
	for (int i = 0; i < n; i++)
		if (is_known_in(frames[i]))
			return true;
	return false;
}

static bool
is_due(void)
{
	unsigned long n;

	if (!counts())
		return false;
	n = atomic_fetch_add(&shared->calls, 1) + 1;
	if (fail_at == 0 || (n != fail_at && !(fail_rest && n > fail_at)))
		return false;
	keep_stack();
	return true;
}

// ---- Memory ---------------------------------------------------------------------------------

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *ptr, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static bool
memory_fails(void)
{
	if (!atomic_load_explicit(&counting, memory_order_relaxed) || !is_due())
		return false;
	errno = ENOMEM;
	return true;
}

void *
malloc(size_t size)
{
	return memory_fails() ? NULL : __libc_malloc(size);
}

void *
calloc(size_t n, size_t size)
{
	return memory_fails() ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *ptr, size_t size)
{
	return memory_fails() ? NULL : __libc_realloc(ptr, size);
}

void *
aligned_alloc(size_t alignment, size_t size)
{
	return memory_fails() ? NULL : __libc_memalign(alignment, size);
}

int
posix_memalign(void **out, size_t alignment, size_t size)
{
	void *ptr = memory_fails() ? NULL : __libc_memalign(alignment, size);

	if (ptr == NULL)
		return ENOMEM;
	*out = ptr;
	return 0;
}

// ---- Calls to the system --------------------------------------------------------------------

// The only place that the filter allows to make system calls: long fault_raw(number, six
// arguments).
long fault_raw(long number, long a, long b, long c, long d, long e, long f);
extern const char fault_raw_end[];

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
__asm__(".text\n.globl fault_raw\n.hidden fault_raw\n.hidden fault_raw_end\n.type "
	"fault_raw,@function\n"
	"fault_raw:\n"
	"mov %rdi,%rax\nmov %rsi,%rdi\nmov %rdx,%rsi\nmov %rcx,%rdx\n"
	"mov %r8,%r10\nmov %r9,%r8\nmov 8(%rsp),%r9\nsyscall\n"
	".globl fault_raw_end\nfault_raw_end:\nret\n");

static long
argument(const ucontext_t *context, int i)
{
	static const int registers[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};

	return (long)context->uc_mcontext.gregs[registers[i]];
}

static void
answer(ucontext_t *context, long result)
{
	context->uc_mcontext.gregs[REG_RAX] = result;
}
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
__asm__(".text\n.globl fault_raw\n.hidden fault_raw\n.hidden fault_raw_end\n.type "
	"fault_raw,@function\n"
	"fault_raw:\n"
	"mov x8,x0\nmov x0,x1\nmov x1,x2\nmov x2,x3\nmov x3,x4\nmov x4,x5\nmov x5,x6\nsvc #0\n"
	".globl fault_raw_end\nfault_raw_end:\nret\n");

static long
argument(const ucontext_t *context, int i)
{
	return (long)context->uc_mcontext.regs[i];
}

static void
answer(ucontext_t *context, long result)
{
	context->uc_mcontext.regs[0] = (unsigned long long)result;
}
#endif

#define MOST_NUMBERS 4

static const struct call {
	const char *name;
	int error;
	int numbers[MOST_NUMBERS]; // system call numbers; -1 ends the list
} calls[] = {
	{"memory", ENOMEM, {-1}},
	{"read", EIO, {SYS_read, -1}},
	{"write", ENOSPC, {SYS_write, -1}},
	{"pread", EIO, {SYS_pread64, -1}},
	{"pwrite", ENOSPC, {SYS_pwrite64, -1}},
	{"open", EIO, {SYS_openat, -1}},
	{"close", EIO, {SYS_close, -1}},
	{"fsync", EIO, {SYS_fsync, SYS_fdatasync, -1}},
#ifdef SYS_rename
	{"rename", EIO, {SYS_rename, SYS_renameat, -1}},
	{"link", EIO, {SYS_link, SYS_linkat, -1}},
#else
	{"rename", EIO, {SYS_renameat, SYS_renameat2, -1}},
	{"link", EIO, {SYS_linkat, -1}},
#endif
	{"mmap", ENOMEM, {SYS_mmap, -1}},
	{"truncate", EIO, {SYS_ftruncate, -1}},
	{"send", ECONNRESET, {SYS_sendto, SYS_sendmsg, -1}},
	{"receive", ECONNRESET, {SYS_recvfrom, SYS_recvmsg, -1}},
	{"socket", ENFILE, {SYS_socket, SYS_accept4, -1}},
};

static const struct call *call;

static bool
is_of_connection(int number)
{
	return number == SYS_sendto || number == SYS_sendmsg || number == SYS_recvfrom ||
	       number == SYS_recvmsg;
}

// Exceptions: a failed close has still closed the descriptor. A reset connection is gone for both
// ends, but libpq waits for what the server says about it. Messages on standard error must be
// visible. A write of one byte, or of eight to an eventfd, wakes a thread through a pipe of this
// process, which never fails in the kernel.
static void
on_call(int number, siginfo_t *info, void *ctx)
{
	ucontext_t *context = ctx;
	long a[6];
	long result = -call->error;
	bool is_due_now;

	(void)number;
	for (int i = 0; i < 6; i++)
		a[i] = argument(context, i);
	is_due_now = !(info->si_syscall == SYS_write &&
		       (a[0] == STDERR_FILENO || a[2] == 1 || a[2] == 8)) &&
		     is_due();
	if (!is_due_now || info->si_syscall == SYS_close) {
		long real = fault_raw(info->si_syscall, a[0], a[1], a[2], a[3], a[4], a[5]);

		result = is_due_now ? result : real;
	}
	if (is_due_now && is_of_connection(info->si_syscall))
		(void)fault_raw(SYS_shutdown, a[0], SHUT_RDWR, 0, 0, 0, 0);
	answer(context, result);
}

static bool
catch_calls(void)
{
	struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
	uint64_t end = (uint64_t)(uintptr_t)fault_raw_end;
	struct sock_filter filter[16 + 2 * MOST_NUMBERS];
	struct sock_fprog program = {.filter = filter};
	unsigned short n = 0;

	filter[n++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer));
	filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)end, 0, 3);
	filter[n++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4);
	filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(end >> 32),
						   0, 1);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						   offsetof(struct seccomp_data, nr));
	for (int i = 0; i < MOST_NUMBERS && call->numbers[i] >= 0; i++) {
		filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							   (uint32_t)call->numbers[i], 0, 1);
		filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
	}
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program.len = n;
	return sigaction(SIGSYS, &action, NULL) == 0 &&
	       prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// ---- Files ----------------------------------------------------------------------------------

struct bytes {
	char *list; // NULL: there is no file
	size_t n;
};

static struct bytes
read_file(const char *path)
{
	struct bytes b = {NULL, 0};
	struct stat st;
	int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return b;
	if (fstat(fd, &st) == 0)
		b.list = __libc_malloc((size_t)st.st_size + 1);
	while (b.list != NULL && b.n < (size_t)st.st_size) {
		ssize_t n = read(fd, b.list + b.n, (size_t)st.st_size - b.n);

		if (n <= 0)
			break;
		b.n += (size_t)n;
	}
	if (b.list != NULL)
		b.list[b.n] = '\0';
	(void)close(fd);
	return b;
}

static bool
are_same(const struct bytes *a, const struct bytes *b)
{
	return a->n == b->n && (a->list == NULL) == (b->list == NULL) &&
	       (a->n == 0 || memcmp(a->list, b->list, a->n) == 0);
}

// A PDF contains its creation time.
static void
blank_date(struct bytes *b)
{
	static const char key[] = "/CreationDate (";
	bool is_pdf = b->n > 4 && memcmp(b->list, "%PDF", 4) == 0;
	char *at = is_pdf ? memmem(b->list, b->n, key, strlen(key)) : NULL;

	while (at != NULL && at < b->list + b->n && *at != ')')
		*at++ = ' ';
}

// ---- One run --------------------------------------------------------------------------------

struct run {
	int status; // -1: it hung; 1000 + number: killed by a signal
	struct bytes out;
	struct bytes err;
	struct bytes file;
	struct bytes old; // the file before the run
	bool left_temporary;
};

static char out_path[4096];
static char err_path[4096];
static const char *output;

static void
point(int fd, const char *path, int flags)
{
	int opened = open(path, flags | O_CLOEXEC, 0600);

	if (opened < 0 || dup2(opened, fd) < 0)
		_exit(99);
	(void)close(opened);
}

// Copy what is displayed on the terminal to the file of standard output, and type q once something
// is there.
static void
copy_screen(int master)
{
	int out = open(out_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool was_typed = false;
	char bytes[4096];
	ssize_t n;

	while ((n = read(master, bytes, sizeof(bytes))) > 0) {
		(void)!write(out, bytes, (size_t)n);
		if (!was_typed)
			(void)!write(master, "q", 1);
		was_typed = true;
	}
	_exit(0);
}

struct terminal {
	int master; // -1: no terminal is wanted
	int screen; // the command's end
	pid_t copier;
};

static struct terminal
open_terminal(void)
{
	struct terminal t = {-1, -1, -1};
	struct winsize size = {.ws_row = 30, .ws_col = 100};

	if (getenv("FAULT_TERMINAL") == NULL)
		return t;
	t.master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (t.master < 0 || grantpt(t.master) != 0 || unlockpt(t.master) != 0)
		_exit(77);
	t.screen = open(ptsname(t.master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	(void)ioctl(t.screen, TIOCSWINSZ, &size);
	t.copier = fork();
	if (t.copier == 0) {
		(void)close(t.screen);
		copy_screen(t.master);
	}
	return t;
}

static void
close_terminal(const struct terminal *t)
{
	if (t->copier > 0)
		(void)waitpid(t->copier, NULL, 0);
}

static void
run_child(main_fn run_main, int argc, char **argv, char **envp, const struct terminal *t)
{
	if (t->screen >= 0) {
		(void)setsid();
		(void)ioctl(t->screen, TIOCSCTTY, 0);
		(void)close(t->master);
		(void)dup2(t->screen, STDIN_FILENO);
		(void)dup2(t->screen, STDOUT_FILENO);
	} else {
		(void)setpgid(0, 0);
		point(STDIN_FILENO, "/dev/null", O_RDONLY);
		point(STDOUT_FILENO, out_path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND);
	}
	point(STDERR_FILENO, err_path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND);
	if (call->numbers[0] < 0)
		atomic_store(&counting, true);
	else if (!catch_calls())
		_exit(77);
	exit(run_main(argc, argv, envp));
}

static int
wait_for(pid_t child)
{
	int pidfd = (int)syscall(SYS_pidfd_open, child, 0);
	struct pollfd there = {.fd = pidfd, .events = POLLIN};
	int patience = number_of("FAULT_SECONDS") > 0 ? (int)number_of("FAULT_SECONDS") : SECONDS;
	bool hangs = pidfd >= 0 && poll(&there, 1, patience * 1000) == 0;
	int status;

	if (hangs)
		(void)kill(-child, SIGKILL); // and its children
	if (waitpid(child, &status, 0) != child)
		status = -1;
	(void)close(pidfd);
	return hangs ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// A server gets a client, which stops it.
static void
run_client(pid_t server)
{
	char command[8192];

	(void)snprintf(command, sizeof(command), "set -- '%s' %d '%s'; %s", out_path, (int)server,
		       output != NULL ? output : "", getenv("FAULT_CLIENT"));
	(void)!system(command);
}

static bool
has_temporary(bool remove_them)
{
	char pattern[4200];
	glob_t found = {.gl_pathc = 0};
	bool any;

	if (output == NULL)
		return false;
	(void)snprintf(pattern, sizeof(pattern), "%s*.tmp*", output);
	any = glob(pattern, 0, NULL, &found) == 0;
	for (size_t i = 0; any && remove_them && i < found.gl_pathc; i++)
		(void)unlink(found.gl_pathv[i]);
	if (any)
		globfree(&found);
	return any;
}

static void
run_once(main_fn run_main, int argc, char **argv, char **envp, struct run *run)
{
	struct terminal t;
	pid_t child;

	if (output != NULL)
		(void)unlink(output);
	atomic_store(&shared->calls, 0);
	shared->callers[0] = '\0';
	atomic_store(&shared->reached, false);
	if (getenv("FAULT_BEFORE") != NULL)
		(void)!system(getenv("FAULT_BEFORE"));
	run->old = read_file(output);
	// The client checks for it at once.
	(void)close(open(out_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
	t = open_terminal();
	child = fork();
	if (child == 0)
		run_child(run_main, argc, argv, envp, &t);
	(void)close(t.master);
	(void)close(t.screen);
	if (getenv("FAULT_CLIENT") != NULL)
		run_client(child);
	run->status = wait_for(child);
	close_terminal(&t);
	run->out = read_file(out_path);
	run->err = read_file(err_path);
	run->file = read_file(output);
	blank_date(&run->file);
	run->left_temporary = has_temporary(true);
}

static void
free_run(struct run *run)
{
	free(run->out.list);
	free(run->err.list);
	free(run->file.list);
	free(run->old.list);
}

// ---- All runs -------------------------------------------------------------------------------

static bool
failed_in(const char *name)
{
	return strstr(shared->callers, name) != NULL;
}

static unsigned long other_fonts;
static unsigned long other_screens;
static unsigned long lookups;
static unsigned long loadings;

// If memory fails, fontconfig chooses another font without reporting it: the picture is the same in
// another font.
static bool
is_other_font(const struct run *run)
{
	return run->status == 0 && run->file.n > 0 && !fail_rest && failed_in("libfontconfig");
}

// If memory fails, cairo omits the creation time of a PDF.
static bool
is_undated(const struct run *run)
{
	return run->status == 0 && run->file.n > 4 && memcmp(run->file.list, "%PDF", 4) == 0 &&
	       memmem(run->file.list, run->file.n, "/CreationDate", 13) == NULL;
}

// ncurses checks few allocations: it crashes, or moves the cursor in other ways.
static bool
is_other_screen(const struct run *run)
{
	return getenv("FAULT_TERMINAL") != NULL && run->status != -1 &&
	       (failed_in("libtinfo") || failed_in("libncurses"));
}

// X11 and pixman crash if memory fails while they are loaded, before pmon can do anything about it.
// The loader ends the program with a message if it cannot allocate the thread-local data of a
// library that was loaded later.
static bool
is_loading(const struct run *run)
{
	return (run->status >= 1000 && failed_in("(dlopen)")) ||
	       (run->status == 127 && failed_in("(__tls_get_addr)"));
}

// glibc crashes or fails an assertion while looking up the user.
static bool
is_lookup(const struct run *run)
{
	return run->status >= 1000 && failed_in("getpwuid_r");
}

// libcurl omits the query of a URL if memory fails, and ClickHouse rejects the request.
static bool
names_memory(const struct run *run)
{
	return call->numbers[0] >= 0 || strcasestr(run->err.list, "memory") != NULL ||
	       strstr(run->err.list, "answers 400") != NULL;
}

// What is wrong with a run; NULL if nothing is.
static const char *
judge(const struct run *run, const struct run *whole)
{
	const char *live = getenv("FAULT_LIVE");
	bool may_be_part = live != NULL && live[0] == '1';
	bool is_server = getenv("FAULT_CLIENT") != NULL;
	bool is_same_out =
		is_server || getenv("FAULT_PRINTS") != NULL || are_same(&run->out, &whole->out);
	bool was_refused = is_server && run->file.list == NULL;

	if (run->status < 0)
		return "hangs";
	if (is_server && run->status == 1000 + SIGTERM && run->err.n > 0)
		return NULL; // it was already ending when the client stopped it
	if (run->status >= 1000)
		return "crashes";
	if (run->left_temporary)
		return "leaves a temporary file";
	if (run->status == whole->status && is_same_out &&
	    (was_refused || are_same(&run->file, &whole->file)))
		return NULL;
	if (is_undated(run) && is_same_out)
		return NULL;
	if (is_other_font(run) && is_same_out) {
		other_fonts++;
		return NULL;
	}
	if (run->status == 0 && !is_same_out)
		return "prints something else with status 0";
	if (run->status == 0)
		return "writes something else with status 0";
	if (run->status != 1 && run->status != 3)
		return "ends with another status than 1 or 3";
	if (run->err.n == 0)
		return "fails without a message";
	if (!names_memory(run))
		return "fails with a message that does not name memory";
	if (run->file.list != NULL && !may_be_part && !are_same(&run->file, &whole->file) &&
	    !are_same(&run->file, &run->old))
		return "fails and leaves a part of the output";
	return NULL;
}

static void
show(unsigned long n, const char *wrong, const struct run *run)
{
	fprintf(stderr, "  n=%lu %s, status %d: %.300s\n%s", n, wrong, run->status,
		run->err.list != NULL ? run->err.list : "", shared->callers);
}

static int
run_all(main_fn run_main, int argc, char **argv, char **envp)
{
	unsigned long tries = number_of("FAULT_TRIES");
	void *frames[MOST_FRAMES];
	struct run whole;
	bool only = number_of("FAULT_ONLY") > 0;
	unsigned long total, tried = 0, wrongs = 0, next = 1;
	double step;

	(void)backtrace(frames, MOST_FRAMES); // loads what it needs now
	run_once(run_main, argc, argv, envp, &whole);
	total = atomic_load(&shared->calls);
	if (whole.status == 77)
		return 77;
	if (whole.status != 0 && whole.status != 3) {
		show(0, "is not a command to try", &whole);
		return 1;
	}
	step = tries > 0 && tries < total ? (double)total / (double)tries : 1;
	for (double at = 1; next > 0; at += step) {
		struct run run;
		const char *wrong;

		fail_at = only ? number_of("FAULT_ONLY") : (unsigned long)at;
		run_once(run_main, argc, argv, envp, &run);
		wrong = judge(&run, &whole);
		if (wrong != NULL && is_other_screen(&run)) {
			other_screens++;
			wrong = NULL;
		}
		if (wrong != NULL && is_loading(&run)) {
			loadings++;
			wrong = NULL;
		}
		if (wrong != NULL && is_lookup(&run)) {
			lookups++;
			wrong = NULL;
		}
		if (wrong != NULL && ++wrongs <= MOST_WRONG)
			show(fail_at, wrong, &run);
		tried++;
		// The number of calls varies a little where threads and processes wait for each
		// other.
		next = (atomic_load(&shared->reached) || fail_at < total) && !only;
		free_run(&run);
	}
	fprintf(stderr, "%s%s: %lu calls, %lu runs, %lu wrong", call->name,
		fail_rest ? " and all after it" : "", total, tried, wrongs);
	if (other_fonts > 0)
		fprintf(stderr, ", %lu in another font", other_fonts);
	if (other_screens > 0)
		fprintf(stderr, ", %lu in ncurses", other_screens);
	if (loadings > 0)
		fprintf(stderr, ", %lu in libraries that are loaded", loadings);
	if (lookups > 0)
		fprintf(stderr, ", %lu in getpwuid_r", lookups);
	fprintf(stderr, "\n");
	free_run(&whole);
	return wrongs > 0;
}

static main_fn real_main;

static int
own_main(int argc, char **argv, char **envp)
{
	const char *folder = getenv("FAULT_FOLDER");
	const char *name = getenv("FAULT_CALL");

	if (name == NULL || folder == NULL)
		return real_main(argc, argv, envp);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(calls[i].name, name) == 0)
			call = &calls[i];
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (call == NULL || shared == MAP_FAILED)
		return 77;
	(void)unsetenv("LD_PRELOAD");
	fail_rest = number_of("FAULT_REST") == 1;
	only_in = getenv("FAULT_IN");
	output = getenv("FAULT_OUTPUT");
	(void)snprintf(out_path, sizeof(out_path), "%s/.fault-out", folder);
	(void)snprintf(err_path, sizeof(err_path), "%s/.fault-err", folder);
	return run_all(real_main, argc, argv, envp);
}

int __libc_start_main(main_fn run_main, int argc, char **argv, void (*init)(void),
		      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

// The first instructions of a program call this function.
int
__libc_start_main(main_fn run_main, int argc, char **argv, void (*init)(void), void (*fini)(void),
		  void (*rtld_fini)(void), void *stack_end)
{
	int (*next)(main_fn, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
	void *symbol = dlsym(RTLD_NEXT, "__libc_start_main");

	memcpy(&next, &symbol, sizeof(next));
	real_main = run_main;
	return next(own_main, argc, argv, init, fini, rtld_fini, stack_end);
}
