"""Mbed TLS 2.28: its programs/test/benchmark.c, compiled as the library was."""

import re
import shlex
from pathlib import Path

import trees
from rounds import Benchmark, Run, row
from trees import Missing

RECORD = 16384
HERE = Path(__file__).resolve().parent


def build(place):
    built = place.built("mbedtls-sys-auto", "lib/libmbedcrypto.a")
    library, vendor = built / "lib" / "libmbedcrypto.a", place.source("mbedtls-sys-auto") / "vendor"
    folder = place.workshop("mbedtls")
    program, shim = folder / "benchmark", HERE / "mbedtls_printf.c"
    if not trees.is_newer(program, library, shim, Path(__file__)):
        compiler = trees.tool("cc", "Mbed TLS's benchmark is compiled with it")
        code = folder / "benchmark.c"
        code.write_text(widened((vendor / "programs" / "test" / "benchmark.c").read_text()))
        made = built / "build" / "library" / "CMakeFiles" / "mbedcrypto.dir" / "flags.make"
        words = [*flags(made), "-w", "-Wno-error", code, shim, library, "-lpthread", "-o", program]
        trees.run([compiler, *words])
    header = (vendor / "include" / "mbedtls" / "version.h").read_text()
    told = re.search(r"MBEDTLS_VERSION_STRING +\"([\d.]+)\"", header)
    return Benchmark(told[1] if told else "unknown", list(runs(program)))


def widened(code):
    """With a buffer as long as a record, which is what its speeds are reckoned by."""
    code, found = re.subn(r"(#define BUFSIZE +)1024\b", rf"\g<1>{RECORD}", code)
    if found != 1:
        raise Missing("Mbed TLS's benchmark has no BUFSIZE of 1024 any more")
    return code


def flags(made):
    """What CMake has compiled the library's files with."""
    lines = [line.split("=", 1) for line in made.read_text().splitlines() if line.startswith("C_")]
    return [word for _, words in lines for word in shlex.split(words)]


def runs(program):
    def bulk(word, name, ours):
        # Given a second buffer, the benchmark is faster with GCM and slower with CCM.
        differs = "the benchmark works in place" if ours in ("aes128-gcm", "aes128-ccm") else ""
        return Run("Mbed TLS", "mbedtls", [program, word], {name: row(ours, RECORD, differs=differs)}, read)

    for word, name, ours in [
        ("md5", "MD5", "md5"),
        ("sha1", "SHA-1", "sha1"),
        ("sha256", "SHA-256", "sha256"),
        ("sha512", "SHA-512", "sha512"),
        ("arc4", "ARC4", "rc4"),
        ("des3", "3DES", "des-ede3"),
        ("des", "DES", "des-cbc"),
        ("camellia", "CAMELLIA-CBC-128", "camellia128-cbc"),
        ("aes_cbc", "AES-CBC-128", "aes128-cbc"),
        ("aes_gcm", "AES-GCM-128", "aes128-gcm"),
        ("aes_ccm", "AES-CCM-128", "aes128-ccm"),
        ("chachapoly", "ChaCha20-Poly1305", "chacha20-poly1305"),
    ]:
        yield bulk(word, name, ours)

    def asymmetric(*words, differs="", **rows):
        named = {name.replace("_", " "): row(ours, differs=differs) for name, ours in rows.items()}
        return Run("Mbed TLS", "mbedtls", [program, *words], named, read)

    yield asymmetric("rsa", **{"RSA-2048_public": "rsa2048-verify", "RSA-2048_private": "rsa2048-sign"})
    yield asymmetric("dhm", **{"DHE-2048_handshake": "ffdhe2048-keygen+ffdhe2048-agree"})
    ecdsa = {"ECDSA-secp256r1_sign": "p256-sign", "ECDSA-secp256r1_verify": "p256-verify"}
    tables = "the benchmark keeps the curve's tables, pk_sign and pk_verify make them anew"
    yield asymmetric("ecdsa", "secp256r1", differs=tables, **ecdsa)
    yield asymmetric("ecdh", "secp256r1", **{"ECDH-secp256r1_handshake": "p256-agree"})
    ecdh = {"ECDHE-x25519_handshake": "x25519-keygen+x25519-agree", "ECDH-x25519_handshake": "x25519-agree"}
    yield asymmetric("ecdh", "x25519", **ecdh)


def read(line):
    """A name and, of what takes data, its speed; of the rest a rate and what is counted."""
    found = re.match(r"\s*(\S+)\s+:\s+(\d+)\s+(KiB|\w[\w ]*)/s", line)
    if found and int(found[2]) > 0:
        name, number, what = found[1], int(found[2]), found[3]
        if what == "KiB":
            yield name, RECORD / (number * 1024) * 1e9
        else:
            yield f"{name} {what}", 1e9 / number
