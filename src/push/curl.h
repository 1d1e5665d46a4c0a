// curl.h - the calls of libcurl
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_CURL_H
#define PMON_PUSH_CURL_H

#include <curl/curl.h>

#include "os/library.h"

// clang-format off
#define CURL_CALLS(CALL)                                                                           \
	CALL(curl_, easy_cleanup) CALL(curl_, easy_escape) CALL(curl_, easy_getinfo)               \
	CALL(curl_, easy_init) CALL(curl_, easy_perform) CALL(curl_, easy_setopt)                  \
	CALL(curl_, easy_strerror) CALL(curl_, free) CALL(curl_, slist_append)                     \
	CALL(curl_, slist_free_all)
// clang-format on

struct curl_calls {
	CURL_CALLS(PMON_OS_CALL)
};

#endif
