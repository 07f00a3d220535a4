#!/bin/sh
# perturb.sh FROM TO: writes a bigger copy of the published files below TO/acme/data. See README.md beside it.
set -eu
from=$1
to=$2/acme/data
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$to"
for file in "$from"/*.csv; do
  name=$(basename "$file")
  # Carriage returns go, and a last line without an end gets one, before rows are appended.
  { tr -d '\r' <"$file"; echo; } | sed '/^$/d' >"$to/$name"
  if [ -f "$here/$name" ]; then
    cat "$here/$name" >>"$to/$name"
  fi
done
