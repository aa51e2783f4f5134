"""Where the libraries' sources and builds are, on whatever machine; and commands, with one clear message if they fail."""

import json
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Missing(Exception):
    """Something is not there without which nothing can be compared."""


def tool(name, why):
    """The path of a program."""
    found = shutil.which(name)
    if found is None:
        raise Missing(f"{name} is not installed: {why}")
    return found


def run(command, cwd=None):
    """What a command prints; its last lines are the message if it fails."""
    command = [str(word) for word in command]
    done = subprocess.run(command, cwd=cwd, text=True, errors="replace", capture_output=True)
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-3:]
        raise Missing(f"{' '.join(command[:3])} ... failed: {' / '.join(last) or done.returncode}")
    return done.stdout


class Trees:
    """The folders that Cargo uses for this package."""

    def __init__(self):
        cargo = tool("cargo", "it tells where the libraries' sources are")
        asked = [cargo, "metadata", "--format-version", "1", "--locked", "--features", "all"]
        told = json.loads(run(asked, ROOT))
        self.target = Path(told["target_directory"])
        self.packages = {package["name"]: package for package in told["packages"]}
        # openssl-src is a build dependency of another package too, in another version.
        versions = [package for package in told["packages"] if package["name"] == "openssl-src"]
        self.packages["openssl-src"] = next((p for p in versions if p["version"].startswith("300.")), None)

    def source(self, package):
        """The folder of a package's sources."""
        found = self.packages.get(package)
        if found is None:
            raise Missing(f"the package {package} is not among tlspair's dependencies")
        return Path(found["manifest_path"]).parent

    def built(self, package, library):
        """Where the build script of a package has left a library: `library` is its path below the folder `out`."""
        pattern = f"release/build/{package}-*/out/{library}"
        found = sorted(self.target.glob(pattern), key=os.path.getmtime)
        if not found:
            raise Missing(f"{self.target}/{pattern} is not there: cargo build --release --features all")
        return found[-1].parents[len(Path(library).parts) - 1]

    def workshop(self, name):
        """A folder to build in."""
        folder = self.target / "peers" / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def is_newer(program, *inputs):
    """Whether a program was built after what it was built from."""
    return program.exists() and all(program.stat().st_mtime >= path.stat().st_mtime for path in inputs)
