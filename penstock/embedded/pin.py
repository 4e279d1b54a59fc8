"""For maintainers: write down the checksums of every bundle (``make pins``)."""

import sys
import tempfile
from pathlib import Path

from penstock.embedded import ivy
from penstock.embedded.bundles import BUNDLES
from penstock.embedded.downloads import pins_of


def main() -> None:
    """Download every bundle anew and note size, SHA-256 and name of each file."""
    for bundle in BUNDLES:
        with tempfile.TemporaryDirectory() as folder:
            files = ivy.retrieve(bundle, Path(folder), lambda _: None)
            lines = [f"{pin.size} {pin.sha256} {pin.name}\n" for pin in pins_of(files)]
        bundle.pin_file.parent.mkdir(exist_ok=True)
        bundle.pin_file.write_text("".join(lines))
        sys.stderr.write(f"{bundle.title}: {len(lines)} files\n")


if __name__ == "__main__":
    main()
