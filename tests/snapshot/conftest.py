from tests.capture.lab import either, lab, lab16

__all__ = ["either", "lab", "lab16"]
