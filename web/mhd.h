// mhd.h - the functions of libmicrohttpd that pmon loads
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_MHD_H
#define PMON_WEB_MHD_H

#include <microhttpd.h>

#include "os/library.h"

// clang-format off
#define MHD_CALLS(CALL)                                                                            \
	CALL(MHD_, add_response_header) CALL(MHD_, create_response_from_buffer)                    \
	CALL(MHD_, create_response_from_callback) CALL(MHD_, create_response_from_fd64)            \
	CALL(MHD_, destroy_response) CALL(MHD_, get_connection_info)                               \
	CALL(MHD_, get_connection_values) CALL(MHD_, get_connection_values_n)                      \
	CALL(MHD_, http_unescape) CALL(MHD_, is_feature_supported) CALL(MHD_, lookup_connection_value)                              \
	CALL(MHD_, queue_response) CALL(MHD_, set_panic_func) CALL(MHD_, start_daemon)             \
	CALL(MHD_, stop_daemon)
// clang-format on

struct mhd_calls {
	MHD_CALLS(PMON_OS_CALL)
};

extern struct mhd_calls mhd; // filled by http_open()

#endif
