"""Which model do searches use?"""

import json
from typing import TYPE_CHECKING

from forebear.archive.opened import OpenedArchive
from forebear.search.model import HAND_SET, Model, hand_set_model, model_from_json

if TYPE_CHECKING:
    from forebear.learning.registry import ModelEntry


class Models(OpenedArchive):
    """An archive that keeps the models learned for it."""

    def model(self, version: str | None = None) -> Model:
        """Return a model by version, or the one that searches use."""
        name = version or self._models.current() or HAND_SET
        if name == HAND_SET:
            return hand_set_model()
        return model_from_json(json.dumps(self._models.load(name)))

    def models(self) -> "tuple[ModelEntry, ...]":
        """Return the learned models."""
        return self._models.list()

    def current_model(self) -> str:
        """Return the version that searches use."""
        return self._models.current() or HAND_SET

    def promote(self, version: str) -> None:
        """Let searches use this model."""
        self._models.promote(version)

    def roll_back(self) -> str:
        """Return to the model used before, and say which that is."""
        return self._models.roll_back() or HAND_SET
