"""Writes messages to files."""

from pathlib import Path

from lockers.notify import texts


class FileNotifier:
    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)

    def arrived(self, parcel) -> None:
        self._write(parcel, texts.arrived(parcel.code))

    def reminder(self, parcel) -> None:
        self._write(parcel, texts.reminder(parcel.code, parcel.reminded))

    def _write(self, parcel, text: str) -> None:
        name = f"{parcel.id}-{parcel.reminded}.txt"
        (self._folder / name).write_text(text + "\n", "utf-8")
