"""HTTP JSON endpoints for RAGProof plugins.

:class:`Endpoint` sends requests from any number of threads, waits as it is told to, retries what is worth retrying,
and raises errors that say what to check; :class:`EndpointSettings` is a base for the settings behind it. For model
endpoints, :func:`post_accepted` leaves out what a model refuses, which :class:`RefusedParameters` remembers, and
:func:`strict_schema` and :func:`schema_instruction` prepare the JSON schema of a reply.
"""

from ragproof_http.bodies import one_line
from ragproof_http.endpoint import Endpoint
from ragproof_http.errors import EndpointError, StatusError
from ragproof_http.parameters import RefusedParameters, forget_refused_parameters, post_accepted
from ragproof_http.reply import HTTPReply
from ragproof_http.retrying import RetryPolicy
from ragproof_http.schemas import schema_instruction, strict_schema
from ragproof_http.settings import EndpointSettings, HeaderSecret
from ragproof_http.urls import checked_header_value, checked_url
from ragproof_http.wording import Wording

__all__ = [
    "Endpoint",
    "EndpointError",
    "EndpointSettings",
    "HTTPReply",
    "HeaderSecret",
    "RefusedParameters",
    "RetryPolicy",
    "StatusError",
    "Wording",
    "checked_header_value",
    "checked_url",
    "forget_refused_parameters",
    "one_line",
    "post_accepted",
    "schema_instruction",
    "strict_schema",
]
