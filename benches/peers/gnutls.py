"""GnuTLS: `gnutls-cli --benchmark-ciphers`, over the library that the system has."""

import re
import shutil

import trees
from rounds import Benchmark, Run, row
from trees import Missing

# What the program encrypts at a time.
STEP = 16384

# The slower ones do not wait for it.
MEMORY = "the benchmark reads 64 MiB, a quarter of it from memory"

# The program's own names, in the order of its output.
ROWS = {
    "AES-128-GCM": "aes128-gcm",
    "AES-128-CCM": "aes128-ccm",
    "CHACHA20-POLY1305": "chacha20-poly1305",
    "SHA1": "hmac-sha1",
    "SHA256": "hmac-sha256",
    "SHA512": "hmac-sha512",
    "3DES-CBC": "des-ede3",
    "AES-128-CBC": "aes128-cbc",
}
UNITS = {"KB": 1e3, "MB": 1e6, "GB": 1e9}


def build(place):
    """Nothing is built: the program is the system's, or unpacked from its package."""
    program = shutil.which("gnutls-cli") or unpacked(place.workshop("gnutls"))
    told = re.search(r"gnutls-cli ([\d.]+)", trees.run([program, "--version"]))
    rows = {name: row(ours, STEP, differs=MEMORY if ours == "aes128-gcm" else "") for name, ours in ROWS.items()}
    run = Run("GnuTLS", "gnutls", [program, "--benchmark-ciphers"], rows, read)
    return Benchmark(told[1] if told else "unknown", [run])


def unpacked(folder):
    """Beside the build: installing it might bring another version of the library."""
    program = folder / "usr" / "bin" / "gnutls-cli"
    if not program.exists():
        if shutil.which("apt-get") is None:
            raise Missing("gnutls-cli is not installed: it is in the package gnutls-bin, or gnutls-utils")
        trees.run(["apt-get", "download", "gnutls-bin"], folder)
        package = next(folder.glob("gnutls-bin_*.deb"), None)
        if package is None:
            raise Missing("gnutls-cli is not installed, and its package could not be had: apt-get install gnutls-bin")
        trees.run(["dpkg", "-x", package, folder])
    return program


def read(line):
    """A name, a number and a unit."""
    found = re.match(r"\s*(\S+) ([\d.]+) (KB|MB|GB)/sec", line)
    if found and float(found[2]) > 0:
        yield found[1], STEP / (float(found[2]) * UNITS[found[3]]) * 1e9
