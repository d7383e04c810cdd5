#!/bin/sh
# check.wheel.sh: see bare_roots.sh.
exec sh tools/package/bare_roots.sh wheel
