#!/bin/sh
# What a task of ./dev needs, on a machine without apt. PACKAGE is Debian's name; tools/packages.txt knows how each is found
# and what other distributions call it.
#
#   packages.sh need PACKAGE...   name what is missing, and how to install it; false if the build fails without it
#   packages.sh want PACKAGE...   the same for what some tests use; always true
#   packages.sh list DISTRIBUTION PACKAGE...   their names in fedora or arch, in one line
#
# OS_RELEASE names another file than /etc/os-release.
set -eu
table=$(dirname "$0")/packages.txt

# row PACKAGE: how it is found, its names in Fedora and in Arch.
row() {
    awk -v package="$1" '$1 == package { print $2, $3, $4 }' "$table"
}

# family: fedora or arch, for these and what is made from them; nothing elsewhere.
family() {
    # shellcheck source=/dev/null
    words=$(. "${OS_RELEASE:-/etc/os-release}" 2>/dev/null && echo "${ID:-} ${ID_LIKE:-}") || words=
    for word in $words; do
        case $word in
        fedora | rhel | centos) echo fedora && return ;;
        arch | archlinux) echo arch && return ;;
        esac
    done
}

# is_there WAY: true, too, where that cannot be said.
is_there() {
    name=${1#*:}
    case $1 in
    program*:*) command -v "$name" >/dev/null ;;
    library*:*) ! command -v pkg-config >/dev/null || pkg-config --exists "$name" ;;
    python*:*) ! command -v python3 >/dev/null || python3 -c "import importlib.util, sys; sys.exit(importlib.util.find_spec('$name') is None)" ;;
    font*:*) ! command -v fc-list >/dev/null || fc-list : family | grep -q "$name" ;;
    file*:*) [ -e "$name" ] ;;
    esac
}

# names DISTRIBUTION PACKAGE...: each once; what the distribution does not have is left out.
names() {
    where=$1
    shift
    for package; do
        # shellcheck disable=SC2046 # words
        set -- $(row "$package")
        case $where in
        fedora) echo "${2:--}" ;;
        arch) echo "${3:--}" ;;
        *) echo "$package" ;;
        esac
    done | awk '$0 != "-" && !seen[$0]++' | tr '\n' ' ' | sed 's/ $//'
}

# say_missing WHY PACKAGE...: and what to type.
say_missing() {
    why=$1
    shift
    echo "missing: $* ($why)"
    install=$(names "$(family)" "$@")
    case $(family) in
    fedora) [ -z "$install" ] || echo "  hint: sudo dnf install $install" ;;
    arch) [ -z "$install" ] || echo "  hint: sudo pacman -S --needed $install" ;;
    *) echo '  hint: these are names of Debian; docs/development.md has those of Fedora and Arch' ;;
    esac
}

what=$1
shift
case $what in
list)
    names "$@"
    exit
    ;;
esac
missing='' unneeded='' unknown=''
for package; do
    way=$(row "$package")
    way=${way%% *}
    case $way in
    '') unknown="$unknown $package" ;;
    *'?:'*) is_there "$way" || unneeded="$unneeded $package" ;;
    *) is_there "$way" || missing="$missing $package" ;;
    esac
done
# shellcheck disable=SC2086 # lists of words
{
    [ -z "$unknown" ] || echo "not checked, for there is no apt here:$unknown"
    if [ "$what" = want ]; then
        [ -z "$missing$unneeded" ] || say_missing 'tests that need them are skipped' $missing $unneeded
        exit 0
    fi
    [ -z "$unneeded" ] || say_missing 'the build leaves out what needs them' $unneeded
    [ -z "$missing" ] || {
        say_missing 'the build needs them' $missing
        exit 1
    }
} >&2
