"""The types of a model, whatever it reads."""

from __future__ import annotations

from heed.models.generation.captioner import ImageRequest
from heed.models.generation.pipeline import Batch, GenerationPipeline, PreparedInput
from heed.models.generation.translator import TextRequest
from heed.models.runtime.protocol import ImageInput, Tokens

ModelRequest = TextRequest | ImageRequest
ModelInput = Tokens | ImageInput
Pipeline = GenerationPipeline[ModelRequest, ModelInput]
Prepared = PreparedInput[ModelInput]
RunningBatch = Batch[ModelInput]
