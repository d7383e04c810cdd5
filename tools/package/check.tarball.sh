#!/bin/sh
# check.tarball.sh: see bare_roots.sh.
exec sh tools/package/bare_roots.sh tarball
