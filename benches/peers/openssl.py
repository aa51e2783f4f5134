"""OpenSSL: `openssl speed`, linked with the library that tlspair is linked with."""

import re
import shutil

import trees
from rounds import Benchmark, Run, row
from trees import Missing

RECORD = 16384
# An AEAD's key is set in the timer by OpenSSL, and beforehand by tlspair: over so much data that does not count.
BULK = 65536

PEER = "tlspair reads and checks the peer's key"

# What the crate that builds the library configures, given the features that tlspair's Cargo.toml asks for. What comes of it
# is compared with what the library was built with.
CONFIGURED = [
    *["no-shared", "no-module", "no-tests", "no-comp", "no-zlib", "no-zlib-dynamic"],
    *["enable-ssl3", "enable-ssl3-method", "enable-md2", "enable-rc5", "enable-weak-ssl-ciphers"],
]


def build(place):
    """Only the program is compiled: the libraries are those of the build script."""
    built = place.built("openssl-sys", "openssl-build/install/lib/libcrypto.a") / "openssl-build" / "install"
    libraries = [built / "lib" / name for name in ("libcrypto.a", "libssl.a")]
    source = place.workshop("openssl") / "source"
    program = source / "apps" / "openssl"
    if not trees.is_newer(program, *libraries):
        make(place, built, libraries, source)
    version = trees.run([program, "version"]).split()[1]
    return Benchmark(version, list(runs(program)))


def make(place, built, libraries, source):
    perl = trees.tool("perl", "OpenSSL is configured with it")
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(place.source("openssl-src") / "openssl", source)
    platform = re.search(rb"platform: ([\w-]+)", libraries[0].read_bytes())
    if platform is None:
        raise Missing(f"{libraries[0]} does not say for which platform it was built")
    trees.run([perl, "./Configure", *CONFIGURED, platform[1].decode()], source)
    maker = trees.tool("make", "OpenSSL is built with it")
    trees.run([maker, "-j1", "build_generated"], source)
    header = "include/openssl/configuration.h"
    if (source / header).read_bytes() != (built / header).read_bytes():
        raise Missing(f"OpenSSL is configured otherwise than {built}: see CONFIGURED in benches/peers/openssl.py")
    for library in libraries:
        shutil.copy(library, source)
    # They count as made, whatever they are made from.
    kept = [word for library in libraries for word in ("-o", library.name)]
    trees.run([maker, "-j1", *kept, "apps/openssl"], source)


def runs(program):
    def speed(*words, read, **rows):
        # By the clock: user time is counted in hundredths of a second.
        fixed = [program, "speed", "-elapsed", "-mr", "-seconds", "1", "-provider", "default", "-provider", "legacy"]
        return Run("OpenSSL", "openssl", [*fixed, *words], rows, read)

    for hash in ("md5", "sha1", "sha256", "sha512"):
        yield speed("-bytes", RECORD, hash, read=by_bytes(RECORD), value=row(hash, RECORD))
    yield speed("-bytes", RECORD, "-hmac", "sha256", read=by_bytes(RECORD), value=row("hmac-sha256", RECORD))
    yield speed("-bytes", RECORD, "-cmac", "aes-128-cbc", read=by_bytes(RECORD), value=row("aes128-cmac", RECORD))
    for name, ours in [
        ("aes-128-cbc", "aes128-cbc"),
        ("aes-256-cbc", "aes256-cbc"),
        ("rc4", "rc4"),
        ("des-cbc", "des-cbc"),
        ("des-ede3-cbc", "des-ede3"),
        ("camellia-128-cbc", "camellia128-cbc"),
        ("seed-cbc", "seed-cbc"),
    ]:
        yield speed("-bytes", RECORD, "-evp", name, read=by_bytes(RECORD), value=row(ours, RECORD))
    decrypting = ["-bytes", RECORD, "-decrypt", "-evp", "aes-128-cbc"]
    yield speed(*decrypting, read=by_bytes(RECORD), value=row("aes128-cbc-decrypt", RECORD))
    for name in ("aes-128-gcm", "aes-256-gcm", "aes-128-ccm", "chacha20-poly1305"):
        ours = name.replace("aes-", "aes")
        yield speed("-bytes", BULK, "-aead", "-evp", name, read=by_bytes(BULK), value=row(ours, BULK))
    decrypting = ["-bytes", BULK, "-aead", "-decrypt", "-evp", "aes-128-gcm"]
    yield speed(*decrypting, read=by_bytes(BULK), value=row("aes128-gcm-decrypt", BULK))
    rsa = dict(zip("abcd", [row(f"rsa2048-{act}") for act in ("sign", "verify", "encrypt", "decrypt")]))
    yield speed("rsa2048", read=by_rate("+F2:", 2), **rsa)
    yield speed("ecdsap256", read=by_rate("+F4:", 2), a=row("p256-sign"), b=row("p256-verify"))
    yield speed("ed25519", read=by_rate("+F6:", 3), a=row("ed25519-sign"), b=row("ed25519-verify"))
    yield speed("ecdhp256", read=by_rate("+F5:", 2), a=row("p256-agree", differs=PEER))
    yield speed("ecdhx25519", read=by_rate("+F5:", 2), a=row("x25519-agree", differs=PEER))
    yield speed("ffdh2048", read=by_rate("+F8:", 2), a=row("ffdhe2048-agree"))
    kem = [row("mlkem768-keygen"), row("mlkem768-encapsulate", differs=PEER), row("mlkem768-decapsulate")]
    yield speed("ML-KEM-768", read=by_rate("+F9:", 1), **dict(zip("abc", kem)))
    mldsa = {"b": row("mldsa65-sign"), "c": row("mldsa65-verify")}
    yield speed("ML-DSA-65", read=by_rate("+F10:", 1), **mldsa)


def by_bytes(bytes):
    """A line of bytes a second: kind, number, name and, last, the speed."""

    def read(line):
        if line.startswith("+F:"):
            yield "value", bytes / float(line.rsplit(":", 1)[1]) * 1e9

    return read


def by_rate(start, names):
    """A line of operations a second, after a number of columns that say of what. (A last column that repeats the one before it as
    seconds is not asked for.)"""

    def read(line):
        if line.startswith(start):
            for name, rate in zip("abcd", line.strip().split(":")[1 + names :]):
                yield name, 1e9 / float(rate)

    return read
