"""Installs the lowest versions that pyproject.toml allows and tries the program with them: `python -m tests.lowest`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
FRIDAY: Final = str(ROOT / "examples/spades-friday.json")
SMOKE: Final = {
    "--help": 0, "scoer": 2, "score": 2, f"score {FRIDAY}": 0, f"score {FRIDAY} --jsn": 2, "score - --game chess": 2,
    "rules list": 0, "rules modern": 0, "rules nonsense": 2, "ask bags": 0, "ask bags --kind poem": 2, "ask bicycle": 1,
    "article spades.bags": 0, "completion bash": 0, "verify --database sqlite:///no/such/file": 2,
}  # fmt: skip
"""Commands with their exit statuses."""
PAGES: Final = """
import json
from companion.web import create_app
client = create_app({"DATABASE": "memory:"}).test_client()
paths = ("/en/", "/ja/rules/spades", "/en/search?q=bags", "/api/v1/games")
found = {path: client.get(path).status_code for path in paths}
body = {"sides": ["a", "b"], "deals": [{"a": {"bid": 5, "tricks": 8}, "b": {"bid": 5, "tricks": 5}}]}
found["score"] = client.post("/api/v1/games/spades/score", json=body).status_code
print(json.dumps({path: status for path, status in found.items() if status != 200}))
"""


def lowest(*extras: str) -> list[str]:
    """Return each requirement of the base and of some extras at the lowest version that it allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    named = re.compile(r"([\w.-]+(?:\[[\w,-]+\])?)>=([\w.]+)(.*)")
    return [f"{found[1]}=={found[2]}{found[3]}" for line in lines if (found := named.fullmatch(line))]


def main() -> None:
    """Set up an environment in a folder that is thrown away, and try commands and pages; exit with what failed."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder, "bin", "python"))
        own = {**os.environ, "XDG_CACHE_HOME": folder}  # what other versions have kept would not be made
        pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        subprocess.run([*pip, *lowest("web")], check=True)
        failed = {}
        for words, status in SMOKE.items():
            done = subprocess.run(
                [python, "-m", "companion", *words.split()], capture_output=True, cwd=ROOT, env=own, input=b"{}"
            )
            if done.returncode != status or b"Traceback" in done.stderr:
                failed[words] = done.stderr.decode()[-600:]
        pages = subprocess.run([python, "-c", PAGES], capture_output=True, cwd=ROOT, env=own, text=True)
        if pages.returncode or json.loads(pages.stdout):
            failed["pages"] = pages.stdout + pages.stderr[-600:]
    sys.exit("\n".join(f"{words}: {fault}" for words, fault in failed.items()) or 0)


if __name__ == "__main__":
    main()
