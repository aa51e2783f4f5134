"""wolfSSL: the benchmark of wolfCrypt, compiled as its library was."""

import re
import shlex

import trees
from rounds import Benchmark, Run, row
from trees import Missing

RECORD = 16384

# Which keys the benchmark takes, of those that are compiled into it, and that ML-KEM's random numbers are the library's own
# and not zeros: nothing that the library sees.
OF_THE_PROGRAM = ["-DUSE_CERT_BUFFERS_2048", "-DMLKEM_NONDETERMINISTIC"]


def build(place):
    built = place.built("wolfssl-sys", "lib/libwolfssl.a")
    library, source = built / "lib" / "libwolfssl.a", built / "wolfssl-src"
    program = place.workshop("wolfssl") / "benchmark"
    if not trees.is_newer(program, library):
        compiler = trees.tool("cc", "wolfSSL's benchmark is compiled with it")
        includes = [f"-I{folder}" for folder in (built / "build", built / "include", source)]
        code = source / "wolfcrypt" / "benchmark" / "benchmark.c"
        words = [*flags(built / "build" / "Makefile"), "-w", *OF_THE_PROGRAM, *includes]
        # Its flags name a header by a path that is relative to the build.
        trees.run([compiler, *words, code, library, "-lpthread", "-lm", "-o", program], built / "build")
    told = re.search(r"LIBWOLFSSL_VERSION_STRING \"([\d.]+)\"", (source / "wolfssl" / "version.h").read_text())
    return Benchmark(told[1] if told else "unknown", list(runs(program, source)))


def flags(makefile):
    """What the library's own files were compiled with."""
    lines = makefile.read_text().splitlines()
    words = []
    for name in ("DEFS", "AM_CPPFLAGS", "CPPFLAGS", "AM_CFLAGS", "CFLAGS"):
        found = [line for line in lines if line.startswith(f"{name} =")]
        if not found:
            raise Missing(f"{makefile} has no {name}")
        words += [word for word in shlex.split(found[0].split("=", 1)[1]) if not word.startswith("$(")]
    return words


def runs(program, source):
    def benchmark(*words, **rows):
        named = {name.replace("_", " "): row(ours) for name, ours in rows.items()}
        return Run("wolfSSL", "wolfssl", [program, "-csv", "-base10", *words], named, read, source)

    def bulk(*words, **rows):
        named = {name.replace("_", "-"): row(ours, RECORD) for name, ours in rows.items()}
        return Run("wolfSSL", "wolfssl", [program, "-csv", "-base10", *words, RECORD], named, read, source)

    # Each time from the beginning to the digest.
    yield bulk("-dgst_full", "-md5", MD5="md5")
    yield bulk("-dgst_full", "-sha", SHA="sha1")
    yield bulk("-dgst_full", "-sha256", SHA_256="sha256")
    yield bulk("-dgst_full", "-sha512", SHA_512="sha512")
    # With -mac_final, which would be the same each time, the benchmark counts every MAC twice.
    yield bulk("-hmac-sha256", HMAC_SHA256="hmac-sha256")
    both = {"AES_128_CBC_enc": "aes128-cbc", "AES_128_CBC_dec": "aes128-cbc-decrypt", "AES_256_CBC_enc": "aes256-cbc"}
    yield bulk("-aes-cbc", **both)
    both = {"AES_128_GCM_enc": "aes128-gcm", "AES_128_GCM_dec": "aes128-gcm-decrypt", "AES_256_GCM_enc": "aes256-gcm"}
    yield bulk("-aes-gcm", **both)
    yield bulk("-aes-ccm", AES_CCM_enc="aes128-ccm")
    # The rows with a key that was set before: what the library's records do, and tlspair.
    both = {"CHA_POLY_ex_enc": "chacha20-poly1305", "CHA_POLY_ex_dec": "chacha20-poly1305-decrypt"}
    yield bulk("-chacha20-poly1305", **both)
    yield benchmark("-rsa", "-rsa_sign", RSA_2048_sign="rsa2048-sign", RSA_2048_verify="rsa2048-verify")
    yield benchmark("-rsa", RSA_2048_public="rsa2048-encrypt", RSA_2048_private="rsa2048-decrypt")
    yield benchmark("-ecc-kg", "-p256", ECC_256_key_gen="p256-keygen")
    ecc = {"ECDHE_256_agree": "p256-agree", "ECDSA_256_sign": "p256-sign", "ECDSA_256_verify": "p256-verify"}
    yield benchmark("-ecc", "-p256", **ecc)
    yield benchmark("-curve25519-kg", CURVE_25519_key_gen="x25519-keygen")
    yield benchmark("-x25519", CURVE_25519_agree="x25519-agree")
    yield benchmark("-dh", "-ffdhe2048", DH_2048_key_gen="ffdhe2048-keygen", DH_2048_agree="ffdhe2048-agree")
    kem = {"key_gen": "mlkem768-keygen", "encap": "mlkem768-encapsulate", "decap": "mlkem768-decapsulate"}
    yield benchmark("-ml-kem-768", **{f"ML-KEM_768_192_{act}": ours for act, ours in kem.items()})


def read(line):
    """A line of what takes data has a name and megabytes a second; of others name, bits, act, milliseconds and a rate."""
    cells = [cell.strip() for cell in line.split(",")]
    try:
        if len(cells) >= 6:
            name = re.sub(r"\s*\[.*\]", "", cells[0])
            yield f"{name} {cells[1]} {cells[2]}", 1e9 / float(cells[4])
        elif len(cells) >= 3:
            yield cells[0], RECORD / float(cells[1]) * 1e3
    except ValueError:
        # A heading.
        return
