#!/bin/sh
# sysroot.sh ARCH FOLDER: what a package for ARCH (x86_64, aarch64) is compiled and linked with, in FOLDER:
#
#   sysroot        the C library of an old Debian release, and the static libraries of this one
#   packages.txt   name, version and source of the packages they are from
#   cross.ini      for meson; emulate PROGRAM runs one of that architecture
#
# A program works where the C library is at least as old as the one it was linked with; the release that the
# compiler is from does not matter. All packages come from the mirror that this machine's apt uses.
set -eu
. tools/package/archives.sh
. tools/links.sh
cpu=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
old_release=${STINT_OLD_RELEASE:-bullseye}
root=$folder/sysroot
case $cpu in
x86_64) arch=amd64 ;;
aarch64) arch=arm64 ;;
*)
    echo "package: no packages are made for '$cpu'" >&2
    exit 2
    ;;
esac
# Where they differ from the release: what the C library is made of.
c_library='libc6 libc6-dev libc-dev-bin linux-libc-dev libcrypt1 libcrypt-dev libnsl-dev libnsl2 libtirpc-dev libtirpc3'
libraries='libyaml-dev zlib1g-dev liblzma-dev libzstd-dev libexpat1-dev libsqlite3-dev libpq-dev
    libpcre2-dev libssl-dev librsvg2-dev libgnutls28-dev libjpeg62-turbo-dev libspng-dev libwebp-dev'

# apt_for LISTS ARGUMENT...: apt for that architecture, as if nothing were installed.
apt_for() {
    state=$folder/$1
    shift
    apt-get -qq -o "APT::Architecture=$arch" -o "APT::Architectures::=$arch" -o "Dir::State=$state" \
        -o "Dir::State::status=$state/status" -o "Dir::Cache=$state" -o "Dir::Etc::sourcelist=$state/sources.list" \
        -o Dir::Etc::sourceparts=/dev/null -o Debug::NoLocking=1 -o APT::Sandbox::User= "$@"
}

# fetch LISTS PACKAGE...: these and what they depend on, in FOLDER/LISTS/archives. LISTS/sources.list exists.
fetch() {
    mkdir -p "$folder/$1/lists/partial" "$folder/$1/archives/partial"
    : >"$folder/$1/status"
    apt_for "$1" update
    lists=$1
    shift
    apt_for "$lists" install -y --download-only --no-install-recommends "$@" >/dev/null
}

# unpack LISTS c|other: the packages of the C library, or all others.
unpack() {
    for package in "$folder/$1"/archives/*.deb; do
        name=${package##*/}
        name=${name%%_*}
        case " $c_library " in *" $name "*) part=c ;; *) part=other ;; esac
        [ "$part" != "$2" ] || dpkg -x "$package" "$root.part"
    done
}

make_sysroot() {
    mkdir -p "$folder/new" "$folder/old"
    archives | sed 's/.*/deb &\ndeb-src &/' >"$folder/new/sources.list"
    # shellcheck disable=SC2086 # a list of words
    fetch new $libraries
    unpack new other
    # The main archive alone: security updates of a C library do not change its symbols.
    echo "deb $(main_archive) $old_release main" >"$folder/old/sources.list"
    fetch old libc6-dev
    unpack old c
    relative_links "$root.part"
    # shellcheck disable=SC2016 # dpkg's own variables
    (cd "$folder/new/archives" && for package in *.deb; do
        dpkg-deb -W --showformat '${Package}\t${Version}\t${source:Package}\n' "$package"
    done) >"$folder/packages.txt"
    write_compiler "$root.part"
    add_old_libc "$root.part/usr/lib/$cpu-linux-gnu"
    leave_static "$root.part/usr/lib/$cpu-linux-gnu"
    make_source curl build_curl "$root.part"
    make_source libarchive build_archive "$root.part"
    make_source libmicrohttpd build_microhttpd "$root.part"
    make_sqlite "$root.part"
    mv "$root.part" "$root"
    rm -rf "$folder/new" "$folder/old"
}

# Functions that even the old C library has in newer versions than we want: see old_libc.c.
add_old_libc() {
    for library in c m; do
        define=
        [ "$library" = c ] || define=-DMATH
        # shellcheck disable=SC2086 # none or one
        "$folder/cc" -O2 -fPIC -fno-builtin $define -c tools/package/old_libc.c -o "$folder/old.o"
        rm -f "$1/libold_$library.a"
        "$cpu-linux-gnu-ar" rcs "$1/libold_$library.a" "$folder/old.o"
        rm "$folder/old.o"
    done
    sed "s|^GROUP ( |&/usr/lib/$cpu-linux-gnu/libold_c.a |" "$1/libc.so" >"$1/libc.so.new"
    mv "$1/libc.so.new" "$1/libc.so"
    rm "$1/libm.so"
    echo "GROUP ( /usr/lib/$cpu-linux-gnu/libold_m.a /lib/$cpu-linux-gnu/libm.so.6 )" >"$1/libm.so"
}

# Only the static one is left of these. Debian does not compile them for shared libraries, but they can be linked into one that
# does not export their symbols.
leave_static() {
    for name in crypto expat jpeg lzma pcre2-8 ssl webp webpmux yaml z zstd; do
        rm -f "$1/lib$name.so"
    done
}

# make_source NAME BUILD ROOT: a library from Debian's source, compiled by the function BUILD, with its copyright and license.
make_source() {
    name=$1
    (cd "$folder/new" && apt_for new source --download-only "$name" && rm -rf "$name" &&
        dpkg-source -x "$name"_*.dsc "$name") >"$folder/$name.log" 2>&1
    (
        export PKG_CONFIG_LIBDIR="$3/usr/lib/$cpu-linux-gnu/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$3"
        cd "$folder/new/$name" && "$2" "$3"
    ) >>"$folder/$name.log" 2>&1 || {
        tail -20 "$folder/$name.log" >&2
        exit 1
    }
    printf '%s\t%s\t%s\n' "$name" "$(sed -n 's/^Version: //p' "$folder/new/$name"_*.dsc)" "$name" >>"$folder/packages.txt"
    mkdir -p "$3/usr/share/doc/$name"
    cat "$folder/new/$name/debian/copyright" "$folder/new/$name/COPYING" >"$3/usr/share/doc/$name/copyright"
}

# configure_static OPTION...: for a static library that can be linked into a shared one.
configure_static() {
    ./configure --host="$cpu-linux-gnu" --prefix=/usr --libdir="/usr/lib/$cpu-linux-gnu" CC="$folder/cc" \
        CFLAGS='-O2 -fPIC -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2' --disable-shared --with-pic "$@"
}

# With HTTP, mail and TLS alone: Debian's own needs 20 libraries, some of which are not static.
build_curl() {
    configure_static --with-openssl --with-zlib --without-brotli --without-zstd --without-nghttp2 --without-libidn2 --without-libpsl \
        --without-librtmp --without-libssh2 --without-ca-bundle --without-ca-path --disable-ldap --disable-ftp \
        --disable-file --disable-dict --disable-telnet --disable-tftp --disable-pop3 --disable-imap --disable-rtsp \
        --disable-gopher --disable-smb --disable-mqtt --disable-ntlm --disable-manual &&
        make -j "$(nproc)" -C lib && make -C lib install DESTDIR="$1" && make -C include install DESTDIR="$1" &&
        make install-pkgconfigDATA DESTDIR="$1"
}

# Tar alone is read and written, and unpacked elsewhere: Debian's own needs libxml2, nettle, lz4 and others.
build_archive() {
    configure_static --disable-bsdtar --disable-bsdcat --disable-bsdcpio --disable-acl --disable-xattr --without-zlib --without-bz2lib \
        --without-libb2 --without-iconv --without-lz4 --without-zstd --without-lzma --without-cng --without-xml2 --without-expat \
        --without-nettle --without-openssl && make -j "$(nproc)" libarchive.la &&
        make install-libLTLIBRARIES install-includeHEADERS install-pkgconfigDATA DESTDIR="$1" && rm -f "$1/usr/lib/$cpu-linux-gnu"/*.la
}

# Its TLS is the system's GnuTLS, which the system keeps up to date: a server with an old TLS is worse than none. Debian's static
# GnuTLS would also need p11-kit, which is not static.
build_microhttpd() {
    # The check links a program with the release's GnuTLS and the old C library.
    configure_static LDFLAGS=-Wl,--allow-shlib-undefined --enable-https --disable-curl --disable-doc --disable-examples --disable-tools &&
        make -j "$(nproc)" -C src/microhttpd && make -C src/microhttpd install DESTDIR="$1" &&
        make -C src/include install DESTDIR="$1" && make install-pkgconfigDATA DESTDIR="$1" &&
        rm -f "$1/usr/lib/$cpu-linux-gnu"/*.la &&
        sed -i 's/^Requires.private:.*//; s/^Libs:.*/& -l:libgnutls.so/' "$1/usr/lib/$cpu-linux-gnu/pkgconfig/libmicrohttpd.pc"
}

# SQLite as a library of its own for libstint, with the name that all systems know it by: a process that has it loaded already,
# such as Python, does not get a second copy. Two copies lose their locks on a ledger that both open.
make_sqlite() {
    "$folder/cc" -shared -Wl,-soname,libsqlite3.so.0 -Wl,-Bsymbolic -Wl,-z,relro -Wl,-z,now \
        -Wl,--whole-archive "$1/usr/lib/$cpu-linux-gnu/libsqlite3.a" -Wl,--no-whole-archive -lm -ldl -lpthread \
        -o "$1/usr/lib/$cpu-linux-gnu/libsqlite3.so.0"
}

# write_compiler ROOT: the compiler finds libraries of this machine before those of the root, unless they are named first.
write_compiler() {
    printf '#!/bin/sh\nexec %s-linux-gnu-gcc --sysroot=%s -B%s/ -L%s "$@"\n' "$cpu" "$1" "$1/usr/lib/$cpu-linux-gnu" \
        "$1/usr/lib/$cpu-linux-gnu" >"$folder/cc"
    chmod +x "$folder/cc"
}

write_cross_file() {
    cat >"$folder/cross.ini" <<EOT
[binaries]
c = ['$folder/cc']
ar = '$cpu-linux-gnu-ar'
strip = '$cpu-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = '$folder/emulate'

[properties]
sys_root = '$root'
pkg_config_libdir = ['$root/usr/lib/$cpu-linux-gnu/pkgconfig', '$root/usr/share/pkgconfig']

[host_machine]
system = 'linux'
cpu_family = '$cpu'
cpu = '$cpu'
endian = 'little'
EOT
    emulator="exec qemu-$cpu-static -L $root"
    [ "$cpu" != "$(uname -m)" ] || emulator='exec'
    printf '#!/bin/sh\n%s "$@"\n' "$emulator" >"$folder/emulate"
    chmod +x "$folder/emulate"
}

[ -d "$root" ] || make_sysroot
write_compiler "$root"
write_cross_file
