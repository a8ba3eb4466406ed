#!/bin/sh
# Becomes a server, and leaves a guard that ends the server when the process that asked for it is gone, however that
# process ended: our standard input is a pipe to it, and the kernel closes a pipe even after SIGKILL.
#
#   guard.sh SIGNAL SECONDS COMMAND [ARGUMENT ...]
#
# The guard asks the server to end with SIGNAL (INT), and kills it when it is still there after SECONDS.

signal=$1
seconds=$2
shift 2

# Nothing is ever written to the pipe, so reading ends with it.
guard='
  read -r _
  kill -s "$1" "$3"
  left=$2
  while [ "$left" -gt 0 ] && kill -s 0 "$3"; do
    sleep 1
    left=$((left - 1))
  done
  kill -s KILL "$3"
'
# A command in the background has no standard input of its own. The shell between us is gone at once, so that the guard is not a
# child of the server: Postgres reports children that it has not started.
exec 3<&0 </dev/null
(sh -c "$guard" guard "$signal" "$seconds" $$ <&3 3<&- >/dev/null 2>&1 &)
exec "$@" 3<&-
