#!/usr/bin/python3
"""The software bill of materials (SPDX 2.3, JSON) of a program with the libraries that are linked into it."""
import hashlib
import json
import time

# Debian's source package, the package of the sysroot that has its copyright, the license of the part that is linked.
LIBRARIES = [("curl", "curl", "curl"), ("expat", "libexpat1-dev", "MIT"), ("libarchive", "libarchive", "BSD-2-Clause"),
             ("libjpeg-turbo", "libjpeg62-turbo-dev", "IJG"),
             ("libmicrohttpd", "libmicrohttpd", "LGPL-2.1-or-later"), ("libyaml", "libyaml-dev", "MIT"), ("libzstd", "libzstd-dev", "BSD-3-Clause"),
             ("libwebp", "libwebp-dev", "BSD-3-Clause"),
             ("openssl", "libssl-dev", "Apache-2.0"), ("pcre2", "libpcre2-dev", "BSD-3-Clause"),
             ("sqlite3", "libsqlite3-dev", "blessing"), ("xz-utils", "liblzma-dev", "LicenseRef-public-domain"),
             ("zlib", "zlib1g-dev", "Zlib")]


def read_versions(path):
    """{package: (version, source)} of the lines that sysroot.sh writes."""
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return {name: (version, source) for name, version, source in rows}


def package(name, version, license_id, **more):
    return {"name": name, "SPDXID": "SPDXRef-" + name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": license_id, "licenseDeclared": license_id,
            "copyrightText": "NOASSERTION", **more}


def debian_package(source, version, license_id):
    address = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
               "referenceLocator": f"pkg:deb/debian/{source}@{version.replace(':', '%3A').replace('+', '%2B')}?arch=source"}
    return package(source, version, license_id, supplier="Organization: Debian", externalRefs=[address])


def make_sbom(version, cpu, versions, seconds):
    """The document; `versions` as read_versions() has them, `seconds` since 1970 when it was made."""
    name = f"stint-{version}-linux-{cpu}"
    packages = [package("stint", version, "Apache-2.0", primaryPackagePurpose="APPLICATION")]
    for source, holder, license_id in LIBRARIES:
        packages.append(debian_package(source, versions[holder][0], license_id))
    digest = hashlib.sha256(json.dumps(packages, sort_keys=True).encode()).hexdigest()[:32]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-stint")]
    relations += [("SPDXRef-stint", "STATIC_LINK", "SPDXRef-" + source) for source, _, _ in LIBRARIES]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
            "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{digest}",
            "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)),
                             "creators": [f"Tool: stint-package-{version}"]},
            "packages": packages,
            "hasExtractedLicensingInfos": [{"licenseId": "LicenseRef-public-domain", "name": "public domain",
                                            "extractedText": "liblzma is in the public domain."}],
            "relationships": [{"spdxElementId": a, "relationshipType": how, "relatedSpdxElement": b}
                              for a, how, b in relations]}


def sbom_text(version, cpu, versions, seconds):
    return json.dumps(make_sbom(version, cpu, versions, seconds), indent=1) + "\n"
