// words.c - parse command lines in the style of Windows' tools
// SPDX-License-Identifier: MIT

#include "shell/compat/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/text.h"
#include "shell/args/textfile.h"
#include "shell/args/verb.h"
#include "shell/output/say.h"
#include "os/dir.h"
#include "shell/process/door.h"
#include "shell/process/signals.h"
#include "shell/output/stream.h"

#define TIME_WORDS 3
#define OPERANDS   (OPTION_NONE - 1) // the index of the setting whose values are operands

// ---- The command line -----------------------------------------------------------------------

// The index of the option with this name, without its first '-'. OPTION_NONE if there is none.
static size_t
place_of(const struct words_reader *reader, const char *name, size_t len)
{
	const struct option *option;

	if (reader->in_settings && reader->input != NULL && strlen(reader->input) == len &&
	    strncasecmp(name, reader->input, len) == 0)
		return OPERANDS;
	if (len == 1 && (name[0] == 'h' || name[0] == 'H'))
		name = "?";
	for (size_t i = 0; (option = option_at(reader->args->verb->options, i)) != NULL; i++)
		for (size_t j = 0; j < 2 && option->names[j] != NULL; j++)
			if (strlen(option->names[j]) == len + 1 &&
			    strncasecmp(option->names[j] + 1, name, len) == 0)
				return i;
	return OPTION_NONE;
}

// The option that a word names: -f, -F, /f, --step.
static size_t
option_of(const struct words_reader *reader, const char *word, size_t len)
{
	return len > 1 && (word[0] == '-' || word[0] == '/') ? place_of(reader, word + 1, len - 1)
							     : OPTION_NONE;
}

static enum option_kind
kind_of(const struct words_reader *reader, size_t place)
{
	return place == OPERANDS ? OPTION_WORDS
				 : option_at(reader->args->verb->options, place)->kind;
}

static int
set_word(struct words_reader *reader, size_t place, const char *value)
{
	return place == OPERANDS ? reader->operand(reader->args, value)
				 : args_set(reader->args, place, value);
}

const char *
words_keep(struct words_reader *reader, char *text)
{
	if (text != NULL && words_add(&reader->texts, text))
		return text;
	free(text);
	say(0, "not enough memory");
	return NULL;
}

// Join "11/21/2026", "1:46:40", "PM" into one text.
static const char *
joined(struct words_reader *reader, int n, char *const *words)
{
	size_t size = 1;
	char *text;

	for (int i = 0; i < n; i++)
		size += strlen(words[i]) + 1;
	text = calloc(1, size);
	for (int i = 0; text != NULL && i < n; i++) {
		if (i > 0)
			strcat(text, " ");
		strcat(text, words[i]);
	}
	return words_keep(reader, text);
}

static bool
goes_on_time(const char *word)
{
	return strchr(word, ':') != NULL || strcasecmp(word, "AM") == 0 ||
	       strcasecmp(word, "PM") == 0;
}

// How many of the words after an option are its values.
static int
count_words(const struct words_reader *reader, enum option_kind kind, int n, char *const *words)
{
	int most = kind == OPTION_FLAG ? 0 : kind == OPTION_WORDS ? n : 1;
	int count = 0;

	if (kind == OPTION_TIME)
		most = TIME_WORDS;
	while (count < n && count < most &&
	       option_of(reader, words[count], strlen(words[count])) == OPTION_NONE) {
		// Files may follow a time.
		if (kind == OPTION_TIME && count > 0 && !goes_on_time(words[count]))
			break;
		count++;
	}
	// A value that looks like an option, such as -o /o
	if (count == 0 && n > 0 && most == 1 && kind != OPTION_MAYBE)
		count = 1;
	return count;
}

static int read_settings(struct words_reader *reader, const char *name);

static int
set_words(struct words_reader *reader, size_t place, int n, char *const *words)
{
	enum option_kind kind = kind_of(reader, place);
	const char *time;
	int status = EXIT_DONE;

	if (kind == OPTION_SETTINGS)
		return read_settings(reader, words[0]);
	if (kind == OPTION_TIME) {
		time = joined(reader, n, words);
		return time != NULL ? set_word(reader, place, time) : EXIT_FAILED;
	}
	for (int i = 0; i < n && status == EXIT_DONE; i++)
		status = set_word(reader, place, words[i]);
	return status;
}

static int
take_option(struct words_reader *reader, size_t place, int n, char *const *words, int *i)
{
	const char *tool = reader->args->verb->name;
	enum option_kind kind = kind_of(reader, place);
	int first = *i + 1;
	int have = count_words(reader, kind, n - first, words + first);

	*i += have;
	if (have > 0)
		return set_words(reader, place, have, words + first);
	if (place == OPERANDS) // -i alone refers to the files on the command line
		return EXIT_DONE;
	if (kind != OPTION_FLAG && kind != OPTION_MAYBE)
		return say(EXIT_USAGE, "%s: %s needs a value; see pmon %s -?", tool,
			   words[first - 1], tool);
	return set_word(reader, place, NULL);
}

int
words_read(struct words_reader *reader, int n, char *const *words)
{
	const char *tool = reader->args->verb->name;
	int status = EXIT_DONE;

	for (int i = 0; i < n && status == EXIT_DONE; i++) {
		size_t place = option_of(reader, words[i], strlen(words[i]));

		if (place != OPTION_NONE)
			status = take_option(reader, place, n, words, &i);
		else if (words[i][0] == '-' && words[i][1] != '\0')
			status = say(EXIT_USAGE, "%s: there is no option %s; see pmon %s -?", tool,
				     words[i], tool);
		else
			status = reader->operand(reader->args, words[i]);
	}
	return status;
}

void
words_free(struct words_reader *reader)
{
	for (size_t i = 0; i < reader->texts.n; i++)
		free((void *)reader->texts.list[i]);
	free(reader->texts.list);
	reader->texts = (struct words){.list = NULL};
}

// ---- Settings files -------------------------------------------------------------------------

static int
set_section(struct words_reader *reader, size_t place, const char *name, const char *line)
{
	enum option_kind kind;

	if (place == OPTION_NONE)
		return say(EXIT_USAGE, "%s: there is no setting %s", name, line);
	kind = kind_of(reader, place);
	if (kind == OPTION_SETTINGS)
		return say(EXIT_USAGE, "%s: a settings file cannot name another settings file",
			   name);
	return kind == OPTION_FLAG || kind == OPTION_MAYBE ? set_word(reader, place, NULL)
							   : EXIT_DONE;
}

// Split a line at blanks outside quotes, in place. False if out of memory.
static bool
split_line(char *line, struct words *out)
{
	while (*line != '\0') {
		const char *ends = " \t";

		line += strspn(line, ends);
		if (*line == '\0')
			break;
		if (*line == '"') {
			ends = "\"";
			line++;
		}
		if (!words_add(out, line))
			return false;
		line += strcspn(line, ends);
		if (*line != '\0')
			*line++ = '\0';
	}
	return true;
}

// The values on a line: one that may contain blanks, or several that are quoted.
static int
set_values(struct words_reader *reader, size_t place, const char *name, const char *line)
{
	struct words values = {.list = NULL};
	char *text;
	int status = EXIT_DONE;

	if (place == OPTION_NONE || kind_of(reader, place) == OPTION_FLAG)
		return say(EXIT_USAGE, "%s: \"%s\" does not belong to a setting", name, line);
	text = (char *)words_keep(reader, strdup(line));
	if (text == NULL)
		return EXIT_FAILED;
	if (line[0] == '"' ? !split_line(text, &values) : !words_add(&values, text))
		status = say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < values.n && status == EXIT_DONE; i++)
		status = set_word(reader, place, values.list[i]);
	free(values.list);
	return status;
}

// Parse a line as if it were on the command line.
static int
take_options(struct words_reader *reader, const char *name, const char *line)
{
	struct words words = {.list = NULL};
	char *text = (char *)words_keep(reader, strdup(line));
	int status = EXIT_DONE;

	if (text == NULL)
		return EXIT_FAILED;
	if (!split_line(text, &words))
		status = say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < words.n && status == EXIT_DONE; i++) {
		size_t place = option_of(reader, words.list[i], strlen(words.list[i]));

		if (place != OPTION_NONE && kind_of(reader, place) == OPTION_SETTINGS)
			status = set_section(reader, place, name, words.list[i]);
	}
	if (status == EXIT_DONE)
		status = words_read(reader, (int)words.n, (char *const *)words.list);
	free(words.list);
	return status;
}

// Parse a line of a settings file. *place is the setting that previous lines began.
static int
take_line(struct words_reader *reader, size_t *place, const char *name, const char *line)
{
	const char *end = line[0] == '[' ? strchr(line, ']') : NULL;
	int status;

	if (line[0] == '\0' || line[0] == ';')
		return EXIT_DONE;
	if (option_of(reader, line, strcspn(line, " \t")) != OPTION_NONE) {
		*place = OPTION_NONE;
		return take_options(reader, name, line);
	}
	if (end == NULL)
		return set_values(reader, *place, name, line);
	*place = place_of(reader, line + 1, (size_t)(end - line - 1));
	status = set_section(reader, *place, name, line);
	end += 1 + strspn(end + 1, " \t");
	return status == EXIT_DONE && *end != '\0' ? set_values(reader, *place, name, end) : status;
}

static struct pmon_span
without_blanks(struct pmon_span line)
{
	while (line.len > 0 && strchr(" \t\r", line.ptr[0]) != NULL)
		line = (struct pmon_span){line.ptr + 1, line.len - 1};
	while (line.len > 0 && strchr(" \t\r", line.ptr[line.len - 1]) != NULL)
		line.len--;
	return line;
}

static int
read_settings(struct words_reader *reader, const char *name)
{
	size_t place = OPTION_NONE;
	struct textfile file;
	struct pmon_span line;
	int status = textfile_read(name, TEXTFILE_BYTES, &file);

	reader->in_settings = true;
	while (status == EXIT_DONE && textfile_line(&file, &line)) {
		line = without_blanks(line);
		file.text[line.ptr + line.len - file.text] = '\0';
		status = take_line(reader, &place, name, line.ptr);
	}
	reader->in_settings = false;
	textfile_free(&file);
	return status;
}

// ---- What options take ----------------------------------------------------------------------

int
words_number(const char *option, const char *value, uint64_t low, uint64_t high, uint64_t *out)
{
	if (value == NULL || (pmon_num_parse_u64((struct pmon_span){value, strlen(value)}, out) &&
			      *out >= low && *out <= high))
		return EXIT_DONE;
	return say(EXIT_USAGE, "%s must be a whole number from %llu to %llu, not \"%s\"", option,
		   (unsigned long long)low, (unsigned long long)high, value);
}

const char *
words_output(struct words_reader *reader, const struct pmon_writer *format, const char *output)
{
	const char *base = pmon_os_name(output);
	size_t size = strlen(output) + strlen(format->endings[0]) + 2;
	char *path;

	if (strchr(base, '.') != NULL || pmon_is_stream(output))
		return output;
	path = malloc(size);
	if (path != NULL)
		(void)snprintf(path, size, "%s.%s", output, format->endings[0]);
	return words_keep(reader, path);
}

int
words_check_output(const struct args *args)
{
	if (strncasecmp(args->output, "SQL:", 4) != 0)
		return EXIT_DONE;
	return say(EXIT_USAGE,
		   "%s: ODBC data sources (%s) exist on Windows only; -f SQL -o FILE.db writes the "
		   "same "
		   "tables into an SQLite database",
		   args->verb->name, args->output);
}

int
words_list_open(struct words_listing *listing)
{
	*listing = (struct words_listing){.len = 0};
	listing->stream = text_stream_open(&listing->text, &listing->len);
	return listing->stream != NULL ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

static int
write_listing(const struct words_listing *listing, const char *path,
	      struct pmon_outfile_options *options)
{
	struct pmon_outfile *file;
	struct pmon_err err;
	enum pmon_status status;

	options->temporary = signals_temporary;
	options->door = door_get();
	status = pmon_outfile_open(path, options, &file, &err);
	if (status != PMON_OK)
		return say_write_err(path, &err);
	pmon_outfile_write(file, listing->text, listing->len);
	status = pmon_outfile_commit(file, &err);
	pmon_outfile_close(file);
	return status == PMON_OK ? EXIT_DONE : say_write_err(path, &err);
}

int
words_list_close(struct words_listing *listing, const char *path,
		 struct pmon_outfile_options *options, int status)
{
	if (!text_stream_close(listing->stream, &listing->text))
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE)
		status = write_listing(listing, path, options);
	free(listing->text);
	return status;
}
