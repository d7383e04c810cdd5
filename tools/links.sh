# shellcheck shell=sh
# links.sh: read by other scripts, for packages of Debian that are unpacked in a folder.

# relative_links ROOT: links from the root of a system lead nowhere in a folder; make them start at it. The loader of x86-64 is
# such a link, that of arm64 is not.
relative_links() {
    find "$1" -type l -lname '/*' | while IFS= read -r link; do
        ln -sfn --relative "$1$(readlink "$link")" "$link"
    done
}
