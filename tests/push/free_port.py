#!/usr/bin/env python3
# free_port.py - print a port of the loopback that is free, and stays so for a minute
# SPDX-License-Identifier: MIT
#
# A port that was only looked up may be given to another test, or to a client, before its server has started. Here the
# closing end of a connection is left on it: the system gives out such a port for a minute only to who asks for it by
# number with SO_REUSEADDR, as servers do.

import socket


def free_port():
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        address = listener.getsockname()
        with socket.create_connection(address):
            listener.accept()[0].close()    # who closes first is the one that waits
    return address[1]


if __name__ == "__main__":
    print(free_port())
