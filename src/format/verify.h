// verify.h - a sink whose output is read back before it gets its name
// SPDX-License-Identifier: MIT

#ifndef PMON_FORMAT_VERIFY_H
#define PMON_FORMAT_VERIFY_H

#include "format/format.h"

// Wrap a sink that has not begun; takes ownership of it, even on failure. The wrapper records
// checksums of what is added and compares them with the complete output when that is read back.
// PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_verify_open(struct pmon_sink *inner,
						 const struct pmon_writer *writer,
						 const struct pmon_create_options *options,
						 struct pmon_sink **out, struct pmon_err *err);

#endif
