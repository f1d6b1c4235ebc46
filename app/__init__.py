"""HTTP and the command line of Heed. It touches no tensor: that is what `models` is for."""

from pydantic import BaseModel

# A model makes its validator when it is first used, not when it is defined: FastAPI alone defines
# some thirty for OpenAPI, which are wanted when somebody asks for it. A tenth of the start.
BaseModel.model_config["defer_build"] = True
