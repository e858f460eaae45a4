"""What `import holdfast` costs beside numpy's own import, and how long `holdfast --help` takes from the shell."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

RUNS = 15


def best(command: list[str]) -> float:
    """The shortest of several runs of a new process, in seconds."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    python = sys.executable
    bare = best([python, "-c", "pass"])
    numpy = best([python, "-c", "import numpy"]) - bare
    ours = best([python, "-c", "import holdfast"]) - bare
    used = best([python, "-c", "import holdfast as hf; hf.bound(hf.Counts(8, 30))"]) - bare
    program = str(Path(python).with_name("holdfast"))
    print(f"start-up, best of {RUNS} new processes, the bare interpreter's {bare * 1e3:.0f} ms taken off")
    print(f"  import numpy                   {numpy * 1e3:7.0f} ms")
    print(f"  import holdfast                {ours * 1e3:7.0f} ms   {ours / numpy:5.2f} times numpy")
    print(f"  import holdfast, first bound   {used * 1e3:7.0f} ms   {used / numpy:5.2f} times numpy")
    print("from the shell, the interpreter included")
    print(f"  holdfast --help                {best([program, '--help']) * 1e3:7.0f} ms")
    print(f"  holdfast bound                 {best([program, 'bound', '--errors', '8', '--n', '30']) * 1e3:7.0f} ms")


if __name__ == "__main__":
    main()
