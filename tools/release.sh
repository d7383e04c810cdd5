#!/bin/sh
# release.sh VERSION [--dry-run] [STEP...]: a release up to its tag, in the root of the checkout. Without STEP, all steps in their
# order; the first that fails ends it. docs/development.md says what each does.
#
# Steps that take long leave a stamp with the commit in build-release/passed and are not repeated for it. --dry-run looks, prints
# what would be done and changes nothing.
set -eu
all_steps='tree version changelog symbols lint test cross package check again files tag'
long_steps='lint test cross package check again'

usage() {
    echo "usage: ./dev release VERSION [--dry-run] [STEP...]" >&2
    echo "  VERSION is MAJOR.MINOR.PATCH; steps: $all_steps" >&2
    exit 2
}

# refuse TEXT [HINT]: the step ends here.
refuse() {
    echo "release: $1" >&2
    [ $# -lt 2 ] || echo "  hint: $2" >&2
    exit 1
}

version='' dry_run='' steps=''
for word; do
    case $word in
    --dry-run) dry_run=1 ;;
    -*) usage ;;
    *)
        if [ -z "$version" ]; then
            version=$word
        else
            case " $all_steps " in *" $word "*) steps="$steps $word" ;; *) usage ;; esac
        fi
        ;;
    esac
done
printf '%s\n' "$version" | grep -qxE '(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)' || usage
: "${steps:=$all_steps}"
commit=$(git rev-parse HEAD)
release=build-release/$version
stamps=build-release/passed

# ---- what is looked at ----

clean_tree() {
    changed=$(git status --porcelain | head -n 3)
    [ -z "$changed" ] ||
        refuse "there are changes that are not committed: $(echo "$changed" | tr '\n' ' ')" \
            'commit them, or git stash -u'
}

do_tree() {
    clean_tree
    branch=$(git symbolic-ref --short -q HEAD || echo 'no branch')
    [ "$branch" = main ] || refuse "this is $branch, and releases are made from main" 'git switch main'
    ! git rev-parse -q --verify "refs/tags/v$version" >/dev/null ||
        refuse "the tag v$version exists" 'a release that was tagged is never changed: take the next version'
}

# same_version WHERE VERSION HINT
same_version() {
    [ "$2" = "$version" ] || refuse "$1 has version ${2:-(none)}, not $version" "$3"
}

do_version() {
    same_version meson.build "$(sed -n "s/^ *version: '\(.*\)',/\1/p" meson.build | head -n 1)" "edit the line 'version:'"
    entry=$(head -n 1 debian/changelog)
    debian=${entry#*(}
    debian=${debian%%)*}
    same_version debian/changelog "${debian%-*}" "dch --newversion $version-0stint1"
    case $entry in *') UNRELEASED;'*) refuse 'debian/changelog is UNRELEASED' 'dch --release' ;; esac
    same_version python/stint/__init__.py "$(sed -n 's/^__version__ = "\(.*\)"/\1/p' python/stint/__init__.py)" 'edit __version__'
    same_version include/stint.h "$(sed -n 's|^/\* "\([0-9.]*\)" \*/|\1|p' include/stint.h)" 'edit the comment on stint_version()'
    other=$(grep -oE 'stint-[0-9]+\.[0-9]+\.[0-9]+' docs/guide/install.md | sort -u | grep -vx "stint-$version" | head -n 1) || :
    [ -z "$other" ] || refuse "docs/guide/install.md names $other" "write stint-$version"
}

# The section of this version, without its heading.
section() {
    awk -v heading="## [$version]" '
        index($0, heading) == 1 { inside = 1; next }
        /^## / || /^\[[^]]*\]: / { inside = 0 }
        inside' CHANGELOG.md
}

do_changelog() {
    heading=$(grep -F "## [$version]" CHANGELOG.md | head -n 1)
    [ -n "$heading" ] || refuse "CHANGELOG.md has no section of $version" "write '## [$version] - $(date -u +%F)'"
    day=$(echo "$heading" | sed -n 's/^## \[[^]]*\] - \([0-9]\{4\}-[0-9][0-9]-[0-9][0-9]\)$/\1/p')
    if [ -z "$day" ] || ! date -d "$day" >/dev/null 2>&1; then
        refuse "CHANGELOG.md: '$heading' has no date" "write '## [$version] - $(date -u +%F)'"
    fi
    [ "$(date -u -d "$day" +%s)" -le "$(date -u +%s)" ] ||
        refuse "CHANGELOG.md: $day is in the future" "write '## [$version] - $(date -u +%F)'"
    section | grep -q '^- ' || refuse "CHANGELOG.md: the section of $version says nothing"
    ! awk '/^## / { inside = /^## \[Unreleased\]/ } inside && /^- /' CHANGELOG.md | grep -q . ||
        refuse 'CHANGELOG.md: there is something below [Unreleased]' "move it to the section of $version"
}

# compare_symbols WHERE: standard input is what is listed there.
compare_symbols() {
    listed=$(LC_ALL=C sort)
    [ "$listed" = "$exported" ] ||
        refuse "the library exports $(echo "$exported" | tr '\n' ' ')and $1 lists $(echo "$listed" | tr '\n' ' ')" \
            'see CONTRIBUTING.md, "Packages"'
}

look_at_symbols() {
    exported=$(LC_ALL=C nm -D --defined-only --with-symbol-versions "$1" | sed -n 's/.* [^A] //p' | sed 's/@@/@/' | LC_ALL=C sort)
    [ -n "$exported" ] || refuse "$1 exports nothing"
    sed 's/@@/@/' tests/lib/symbols.txt | compare_symbols tests/lib/symbols.txt
    sed -n 's/^ \(stint_[a-z_]*@[A-Z0-9_.]*\) .*/\1/p' debian/libstint0.symbols | compare_symbols debian/libstint0.symbols
    awk '/^[A-Z].* \{/ { node = $1 } /^ *stint_[a-z_]*;/ { gsub(/[ ;]/, ""); print $0 "@" node }' src/lib/stint.map | compare_symbols src/lib/stint.map
}

do_symbols() {
    ./dev build
    look_at_symbols build/libstint.so
}

# ---- what takes long: these are called where a command that fails does not end the shell ----

do_lint() {
    ./dev lint
}

do_test() {
    ./dev test
}

do_cross() {
    ./dev cross
}

do_package() {
    rm -rf build-package/wheel build-package/tarball # may have those of other versions
    make_packages
}

do_check() {
    ./dev package --check
}

make_packages() {
    for kind in deb wheel tarball; do
        ./dev package $kind || return 1
    done
}

# What a release consists of, below the root of a checkout.
packages() {
    find build-package/deb build-package/wheel build-package/tarball -maxdepth 1 -type f \
        \( -name '*.deb' -o -name '*.dsc' -o -name '*.tar.xz' -o -name '*.whl' -o -name '*.tar.gz' \) 2>/dev/null | LC_ALL=C sort
}

# A clone has what is committed and nothing else; its folder has another name, and nothing that was compiled is used again.
do_again() {
    passed package || refuse 'the packages of this commit were not made' "./dev release $version package"
    rm -rf build-release/again
    git clone -q --no-hardlinks . build-release/again || return 1
    (cd build-release/again && git checkout -q --detach "$commit" && make_packages) || return 1
    first=$(packages) second=$(cd build-release/again && packages)
    [ "$first" = "$second" ] ||
        refuse "other packages were made: $(printf '%s\n%s\n' "$first" "$second" | sort | uniq -u | tr '\n' ' ')"
    [ -n "$first" ] || refuse 'there are no packages in build-package'
    for file in $first; do
        cmp "$file" "build-release/again/$file" ||
            refuse "$file was made again with other bytes" "diffoscope $file build-release/again/$file"
    done
    echo "equal bytes: $(echo "$first" | wc -l) files"
    rm -rf build-release/again
}

# ---- what comes out ----

# A page of releases breaks lines where the text does, and links into the repository lead nowhere there: each item is one line,
# with paths.
write_notes() {
    echo "# Stint $version"
    # shellcheck disable=SC2016 # no expansion is meant
    section | awk '
        /^```/ { fenced = !fenced }
        !fenced && !/^```/ && /^ *[^ #|-]/ && text { sub(/^ */, ""); printf " %s", $0; next }
        { printf "%s%s", (NR > 1 ? "\n" : ""), $0; text = !fenced && /[^ ]/ && !/^([#|]|```)/ }
        END { print "" }' | sed -E 's/\[([^]]+)\]\(\1\)/`\1`/g; s/\[([^]]*)\]\(([a-zA-Z.][^):]*)\)/\1 (`\2`)/g'
}

do_files() {
    clean_tree
    passed package || refuse 'the packages of this commit were not made' "./dev release $version package"
    rm -rf "$release"
    mkdir -p "$release"
    for file in $(packages); do
        cp -p "$file" "$release/"
    done
    [ -n "$(ls "$release")" ] || refuse 'there are no packages in build-package' "./dev release $version package"
    (cd "$release" && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS . && sha256sum --quiet -c SHA256SUMS)
    write_notes >"$release/RELEASE_NOTES.md"
    echo "$commit" >"build-release/$version.commit"
    ls -s --block-size=KiB "$release"
}

do_tag() {
    clean_tree
    for step in $long_steps; do
        passed "$step" || refuse "the step '$step' has not passed for this commit" "./dev release $version $step"
    done
    [ "$(cat "build-release/$version.commit" 2>/dev/null)" = "$commit" ] ||
        refuse "$release is not of this commit" "./dev release $version files"
    ! grep -q '@stint\.example' debian/control || echo 'note: debian/control has a placeholder for the address of the maintainers (debian/README.source)'
    cat <<EOT
Everything up to the tag is done. Nothing was tagged or published. To do that:

  git tag --annotate --cleanup=whitespace --file $release/RELEASE_NOTES.md v$version $commit
  git push origin v$version
  gh release create v$version --verify-tag --title 'Stint $version' --notes-file $release/RELEASE_NOTES.md $release/*

--sign instead of --annotate signs the tag. A tag that was pushed is not moved.
EOT
}

# ---- the steps ----

# passed STEP: for this commit.
passed() {
    [ "$(sed -n 1p "$stamps/$1" 2>/dev/null)" = "$commit" ]
}

is_long() {
    case " $long_steps " in *" $1 "*) ;; *) return 1 ;; esac
}

# What a step would do, on a line; true when nothing is known to be in its way.
foretell() {
    case $1 in
    tree | version | changelog)
        if reason=$("do_$1" 2>&1); then echo "ok     $1"; else
            echo "not ok $1: ${reason#release: }"
            return 1
        fi
        ;;
    symbols) echo 'to do  symbols: ./dev build, then the symbols of the library are compared with the three lists' ;;
    package) line='./dev package deb, wheel, tarball' ;;
    check) line="./dev package --check$([ "$(id -u)" = 0 ] || echo ' (as root)')" ;;
    again) line='the packages once more, in a clone, and compared' ;;
    files) echo "to do  files: packages, SHA256SUMS, RELEASE_NOTES.md in $release" ;;
    tag) echo 'to do  tag: the commands are printed, not run' ;;
    *) line="./dev $1" ;;
    esac
    is_long "$1" || return 0
    if passed "$1"; then echo "ok     $1: passed for this commit on $(sed -n 2p "$stamps/$1")"; else echo "to do  $1: $line"; fi
}

if [ -n "$dry_run" ]; then
    failed=0
    for step in $steps; do
        foretell "$step" || failed=1
    done
    exit $failed
fi
for step in $steps; do
    if ! is_long "$step"; then
        echo "== $step"
        "do_$step"
        continue
    fi
    if passed "$step"; then
        echo "== $step: passed for this commit on $(sed -n 2p "$stamps/$step")"
        continue
    fi
    echo "== $step"
    clean_tree
    "do_$step" || refuse "the step '$step' failed"
    [ "$(git rev-parse HEAD)" = "$commit" ] || refuse "there was a commit while '$step' ran"
    mkdir -p "$stamps"
    { echo "$commit" && date -u '+%F %H:%M UTC'; } >"$stamps/$step"
done
