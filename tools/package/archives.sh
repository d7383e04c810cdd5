#!/bin/sh
# archives.sh: read by other scripts. Lines "ADDRESS RELEASE COMPONENT" of this machine's Debian archives, so that no script names a host.
archives() {
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(ORIGIN)|$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        sed -n 's/^Debian|//p' | sort -u -k2,2
}

# The main one: its address, and the name of its release.
main_archive() {
    archives | sed -n '/ [a-z]* main$/{s/ [a-z]* main$//p;q}'
}

main_release() {
    archives | sed -n '/ [a-z]* main$/{s/^[^ ]* \([a-z]*\) main$/\1/p;q}'
}
