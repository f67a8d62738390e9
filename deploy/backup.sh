#!/bin/sh
# Backs up a Mintmark server, running or not: one file of the database, and new preview images.
#
#   backup.sh DATA_DIR BACKUP_DIR [--database-url URL | --config FILE]
#
# MINTMARK: the command (default: mintmark). KEEP: how many files to keep (default: 14).
set -eu
umask 077
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
keep=${KEEP:-14}
case $keep in *[!0-9]* | 0*) echo "KEEP is $keep; allowed: a number from 1" >&2; exit 2 ;; esac
data=$(realpath "$1")
mkdir -p "$2"
backups=$(realpath "$2")
shift 2

file="$backups/$(date -u +%Y%m%dT%H%M%SZ).mintmark"
# shellcheck disable=SC2086 # the command may be of several words
${MINTMARK:-mintmark} backup --data "$data" "$@" "$file"

# An interrupted backup leaves an unfinished file, which the next backup removes. Names sort by time.
(
  cd "$backups"
  set -- *.mintmark
  while [ $# -gt "$keep" ]; do
    rm -f -- "$1"
    shift
  done
)

# Previews are named by the hash of their source and never change: only new ones are copied, after the database,
# so that none of its images is missing. Kept films are fetched again.
if [ -d "$data/media" ]; then
  marker="$backups/media.marker"
  touch "$marker.next"
  if [ -e "$marker" ]; then set -- -newer "$marker"; else set --; fi
  (cd "$data" && find media/ -type f ! -name '*.tmp' ! -name '*-file.*' "$@" -print0) >"$marker.list"
  # The server may delete a preview meanwhile. sh ignores a failure at the start of a pipe: without the next marker, mv ends the script.
  { tar --directory="$data" --null --files-from="$marker.list" --ignore-failed-read --create --file=- || rm "$marker.next"; } |
    tar --extract --file=- --directory="$backups"
  rm "$marker.list"
  mv "$marker.next" "$marker"
fi

echo "$file"
