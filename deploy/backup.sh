#!/bin/sh
# Backs up a Mintmark server, running or not: one file of the database, and new preview images.
#
#   backup.sh DATA_DIR BACKUP_DIR [--database-url URL | --config FILE]
#
# MINTMARK: the command (default: mintmark). KEEP: how many files to keep (default: 14).
set -eu
umask 077
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
data=$(realpath "$1")
mkdir -p "$2"
backups=$(realpath "$2")
shift 2

file="$backups/$(date -u +%Y%m%dT%H%M%SZ).mintmark"
# shellcheck disable=SC2086 # the command may be of several words
${MINTMARK:-mintmark} backup --data "$data" "$@" "$file"

# Previews are named by the hash of their source and never change: only new ones are copied, after the database,
# so that none of its images is missing. Kept films are fetched again.
if [ -d "$data/media" ]; then
  marker="$backups/media.marker"
  touch "$marker.next"
  newer=''
  [ ! -e "$marker" ] || newer="-newer $marker"
  # shellcheck disable=SC2086
  (cd "$data" && find media -type f ! -name '*.tmp' ! -name '*-file.*' $newer -print0 | tar --null --files-from=- --create --file=-) |
    tar --extract --file=- --directory="$backups"
  mv "$marker.next" "$marker"
fi

# An interrupted backup leaves an unfinished file, which the next backup removes. Names sort by time.
find "$backups" -maxdepth 1 -name '*.mintmark' | sort -r | tail -n "+$((${KEEP:-14} + 1))" | xargs -r rm -f --
echo "$file"
