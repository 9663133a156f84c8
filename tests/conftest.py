"""Tests started in the background inherit deafness to Ctrl-C; the programs under test must hear it."""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
