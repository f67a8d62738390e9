#!/bin/sh
# Restores what backup.sh wrote into a new data folder (and into an empty database, if you use your own).
# Run it as the server's user.
#
#   restore.sh BACKUP_FILE NEW_DATA_DIR [--active | --paused] [--database-url URL | --config FILE]
#
# --active: the original is stopped permanently, and streams send again. Default: paused; at a terminal the command prompts.
# MINTMARK: the command (default: mintmark).
set -eu
umask 077
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
file=$(realpath "$1")
data=$2
shift 2
mkdir -p "$data"

# shellcheck disable=SC2086 # the command may be of several words
${MINTMARK:-mintmark} restore --data "$data" "$@" "$file"

media="$(dirname "$file")/media"
[ ! -d "$media" ] || cp -Rp "$media" "$data/"
