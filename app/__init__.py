"""The web application and command line of Heed. They run no tensor code: `heed.models` does."""

from pydantic import BaseModel

# A model builds its validator at first use, not when it is defined: FastAPI alone defines some
# thirty for OpenAPI, needed only when the document is requested. Saves a tenth of the start.
BaseModel.model_config["defer_build"] = True
