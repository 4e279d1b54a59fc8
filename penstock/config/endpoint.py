"""An HTTP service that Penstock speaks to: a registry, a search index."""

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from penstock.config import values
from penstock.config.fields import LocalPath, SecretText, Section, Text, text

HTTP_URL = r"^https?://[^\s?#]+$"


class Endpoint(Section):
    """Where it answers, and as whom. ``url`` holds no credentials, whatever the file says."""

    url: Annotated[
        str,
        BeforeValidator(lambda value: values.http_url(text(value))),
        WithJsonSchema({"type": "string", "pattern": HTTP_URL}),
    ] = Field(
        description="The address. It may hold user:password@, with a reference for the password.",
        examples=["https://search.example.com:9200"],
    )
    username: Text | None = Field(default=None, description="The user, if one is asked for.")
    password: SecretText | None = Field(
        default=None,
        description="The password of the user: a secret, so give a reference.",
        examples=["${file:secrets/password}"],
    )
    ca: LocalPath | None = Field(
        default=None,
        description="A PEM file with the authorities to trust; by default, those of the system.",
        examples=["./ca.pem"],
    )

    @model_validator(mode="before")
    @classmethod
    def _take_credentials_out(cls, data: Any) -> Any:
        """Credentials in the address become fields, so that the address can be shown."""
        if not isinstance(data, dict) or not isinstance(data.get("url"), str):
            return data
        try:
            split = values.split_url(data["url"])
        except ValueError:
            return data  # the field itself says what is wrong with it
        if split.username is None:
            return data
        if "username" in data or "password" in data or "token" in data:
            raise ValueError("gives credentials twice, in url and beside it")
        if not split.username or not split.password:
            raise ValueError("needs both in url, if any: user:password@host")
        return {**data, "url": split.url, "username": split.username, "password": split.password}

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.username is None) != (self.password is None):
            raise ValueError("needs username and password together")
        if self.ca is not None and not self.url.startswith("https://"):
            raise ValueError("has a ca, which is used with an https:// address only")
        return self
