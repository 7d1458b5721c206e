"""Fetches the runtime and the packages by name, version and hash, and writes the bundle to build/phone."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import brotli

from companion.data import LANGUAGES
from companion.web.assets import hashed_name, static_files
from companion.web.phone import BUNDLE, MANIFEST

ROOT: Final = Path(__file__).resolve().parent.parent
RUNTIME: Final = "pyodide@314.0.7"
RUNTIME_HASH: Final = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
PACKAGES: Final = (
    "blinker", "click", "flask", "itsdangerous", "jinja2", "markdown-it-py", "markupsafe", "marshmallow",
    "mdit-py-plugins", "mdurl", "platformdirs", "segno", "werkzeug",
)  # fmt: skip
"""What the program imports on a phone, all of it in Python: a memory with compiled modules cannot be copied."""
FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
NOT_THERE: Final = (
    "cli.py", "conformance.py", "mcp.py", "serve.py", "sheets/backup.py", "sheets/migrations", "sheets/sql.py",
    "web/api", "web/monitoring.py", "web/static", "web/phone/pages.py",
)  # fmt: skip
"""Parts of the package that only a server has."""
LICENCES: Final = """\
The program that runs on a phone consists of the companion (MIT), of the packages below, and of

Pyodide, Mozilla Public License 2.0: unchanged, as the npm package of that name has it, where its source is named;
CPython and its standard library, which are inside it: Python Software Foundation License 2.
"""


def main() -> None:
    """Write the bundle, unless there is one made from the same sources."""
    source = source_digest()
    target = ROOT / BUNDLE
    if (target / MANIFEST).is_file() and json.loads((target / MANIFEST).read_text())["source"] == source:
        return
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        runtime, out = _runtime(work), work / "out"
        out.mkdir()
        info = json.loads((runtime / "pyodide-lock.json").read_text())["info"]
        tree, licences = _tree(work)
        static = static_files()
        (tree / "static.json").write_text(
            json.dumps({name: f"/static/{hashed_name(name, static[name])}" for name in static})
        )
        script = ROOT / "phone" / "snapshot.mjs"
        _run("node", script, runtime, tree, ROOT / "phone" / "prepare.py", out)
        for name in FILES:
            shutil.copyfile(runtime / name, out / name)
        (out / "licences.txt").write_text(licences, "utf-8")
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        contents = {path.name: path.read_bytes() for path in sorted(out.iterdir())}
        contents |= {f"static/{name}": static[name] for name in static}
        with ThreadPoolExecutor() as pool:
            written = dict(
                zip(contents, pool.map(lambda name: _write(target, name, contents[name]), contents), strict=True)
            )
    manifest = {"source": source, "runtime": info, "version": _digest(json.dumps(written).encode()), "files": written}
    (target / MANIFEST).write_text(json.dumps(manifest, indent=1))
    packed, whole = (sum(each[key] for each in written.values()) for key in ("packed", "size"))
    sys.stdout.write(f"{BUNDLE}: {packed / 1e6:.1f} MB to fetch, {whole / 1e6:.1f} MB on the phone\n")


def source_digest() -> str:
    """Return a digest of everything that a bundle is made from."""
    digest = hashlib.sha256(RUNTIME_HASH.encode())
    folders = ["companion", "phone", "templates", *(f"rules_{lang}" for lang in LANGUAGES)]
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    for path in sorted([*paths, ROOT / "constraints" / "run.txt"]):
        if "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _runtime(work: Path) -> Path:
    """Return the folder of the runtime, as the package has it. Raises SystemExit if it is another one."""
    _run("npm", "pack", "--silent", "--pack-destination", work, RUNTIME)
    packed = next(work.glob("*.tgz"))
    found = "sha512-" + base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode()
    if found != RUNTIME_HASH:
        sys.exit(f"{RUNTIME} has the hash {found}")
    shutil.unpack_archive(packed, work, filter="data")
    return work / "package"


def _tree(work: Path) -> tuple[Path, str]:
    """Return a folder with all Python and all texts that the phone has, and the licences of what others wrote."""
    tree = work / "tree"
    pinned = re.split(r"\n(?=\S)", (ROOT / "constraints" / "run.txt").read_text().strip())
    wanted = [block for block in pinned if re.split(r"[\s=\[]", block)[0].lower() in PACKAGES]
    if len(wanted) != len(PACKAGES):
        sys.exit("constraints/run.txt does not pin all packages of a phone")
    (work / "packages.txt").write_text("\n".join(wanted))
    _run(
        sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--target", tree, "--no-deps",
        "--no-compile", "--only-binary=:all:", "--require-hashes", "--requirement", work / "packages.txt",
    )  # fmt: skip
    licences = LICENCES
    for about in sorted(tree.glob("*.dist-info")):
        texts = [
            path
            for path in sorted(about.rglob("*"))
            if re.match("(?i)licen[cs]e|copying", path.name) and path.is_file()
        ]
        licences += "".join(f"\n\n{about.stem}\n\n{path.read_text('utf-8')}" for path in texts)
        shutil.rmtree(about)
    for compiled in [*tree.rglob("*.so"), *tree.rglob("*.pyi"), tree / "bin"]:
        shutil.rmtree(compiled, ignore_errors=True) if compiled.is_dir() else compiled.unlink(missing_ok=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.png")
    for name in ("companion", "templates", *(f"rules_{lang}" for lang in LANGUAGES)):
        shutil.copytree(ROOT / name, tree / name, ignore=ignored)
    for name in NOT_THERE:
        place = tree / "companion" / name
        shutil.rmtree(place) if place.is_dir() else place.unlink()
    shutil.copyfile(ROOT / "phone" / "orjson.py", tree / "orjson.py")
    return tree, licences


def _write(target: Path, name: str, content: bytes) -> dict[str, Any]:
    """Write a file under a name that goes by its content, and a compressed copy beside it."""
    place = target / hashed_name(name, content)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    quality = 6 if len(content) > 20_000_000 else 9
    packed = brotli.compress(content, quality=quality, lgwin=24)
    place.with_name(place.name + ".br").write_bytes(packed)
    return {"path": place.relative_to(target).as_posix(), "size": len(content), "packed": len(packed)}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _run(*command: object) -> None:
    if not shutil.which(str(command[0])):
        sys.exit(f"make phone needs {command[0]}")
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        sys.exit(f"make phone failed: {done.stdout[-4000:]}{done.stderr[-4000:]}")


if __name__ == "__main__":
    main()
