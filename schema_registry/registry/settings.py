"""Compatibility and mode, of a subject or of all."""

from schema_registry.registry import refusals
from schema_registry.registry.levels import DEFAULT_LEVEL
from schema_registry.registry.log import Decision
from schema_registry.registry.records import Config, ConfigRecord, Mode, ModeRecord
from schema_registry.registry.registration import check_writable
from schema_registry.registry.state import State
from schema_registry.registry.subjects import checked_subject


def config(state: State, subject: str | None, *, default_to_global: bool = False) -> Config:
    """Give the settings; for all, they are whole, with what we do by default filled in."""
    own, above = state.configs.get(subject), state.configs.get(None) or Config()
    if own is None:
        if subject is not None and not default_to_global:
            raise refusals.no_config(subject)
        own = Config()
    normalize = own.normalize if own.normalize is not None else above.normalize
    return Config(own.level or above.level or DEFAULT_LEVEL, normalize)


def set_config(state: State, subject: str | None, wanted: Config) -> Decision[Config]:
    """Change settings; what is None in the wanted ones stays as it is."""
    if subject is not None:
        checked_subject(subject)
    check_writable(state, subject)
    before = state.configs.get(subject) or Config()
    after = Config(
        wanted.level or before.level,
        before.normalize if wanted.normalize is None else wanted.normalize,
    )
    if after == state.configs.get(subject):
        return Decision(after)
    return Decision(after, (ConfigRecord(subject, after),))


def delete_config(state: State, subject: str | None) -> Decision[Config]:
    """Go back to the settings of all, or to our default; give what was set before."""
    check_writable(state, subject)
    if subject not in state.configs:
        if subject is not None:
            raise refusals.subject_unknown(subject)
        return Decision(config(state, None))
    return Decision(config(state, subject), (ConfigRecord(subject, None),))


def mode(state: State, subject: str | None, *, default_to_global: bool = False) -> Mode:
    """Give the mode of a subject, or of all."""
    if subject is not None and subject not in state.modes and not default_to_global:
        raise refusals.no_mode(subject)
    return state.mode(subject)


def set_mode(state: State, subject: str | None, wanted: Mode, *, force: bool) -> Decision[Mode]:
    """Change the mode. To IMPORT only where nothing is there, so that no ids can clash."""
    if subject is not None:
        checked_subject(subject)
    if state.modes.get(subject) is wanted:
        return Decision(wanted)
    if wanted is Mode.IMPORT and state.mode(subject) is not Mode.IMPORT and not force:
        scope = [subject] if subject is not None else list(state.subjects)
        if any(state.versions(each) for each in scope):
            raise refusals.not_permitted("Cannot import since found existing subjects")
    return Decision(wanted, (ModeRecord(subject, wanted),))


def delete_mode(state: State, subject: str | None) -> Decision[Mode]:
    """Go back to the mode of all, or to READWRITE; give the mode that was set before."""
    if subject not in state.modes:
        if subject is not None:
            raise refusals.subject_unknown(subject)
        return Decision(state.mode(None))
    return Decision(state.modes[subject], (ModeRecord(subject, None),))
