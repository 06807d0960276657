"""Reads dates that people write, in the course's time zone. Imports nothing heavy."""

import re
import zoneinfo
from datetime import datetime, timedelta, timezone, tzinfo

from autograder.common.errors import CourseError

EXAMPLE = "2030-01-31 23:59 Europe/Paris"
DAY, HOUR = r"(\d{4}-\d\d-\d\d)", r"(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)"
WRITTEN = re.compile(rf"{DAY}(?:[ T]{HOUR})?(?: ?([A-Za-z][\w/+-]*|[+-]\d\d:?\d\d))?")
SECONDS = {"s": 1, "min": 60, "minute": 60, "minutes": 60, "h": 3600, "hour": 3600, "hours": 3600, "day": 86400}
SECONDS["days"] = SECONDS["day"]
SPAN = re.compile(rf"(\d+(?:\.\d+)?) ?({'|'.join(SECONDS)})")
# A date alone lasts until the end of its day.
END_OF_DAY = "23:59"


def read_time(text: str, zone: str = "UTC") -> datetime:
    """Return a time in UTC, without a zone, as nbgrader keeps times; `zone` applies if the text names none.

    Other orders of day and month are refused because they mean different days in different countries.
    Raises: CourseError, a sentence that begins with the text.
    """
    match = WRITTEN.fullmatch(text.strip())
    try:
        if match is None:
            raise ValueError
        day, hour, named = match.groups()
        return _in_utc(datetime.fromisoformat(f"{day} {hour or END_OF_DAY}"), zone_of(named or zone))
    except (ValueError, OverflowError):
        raise CourseError("{given!r} is not a time; write {example}.", given=text, example=EXAMPLE) from None


def read_span(text: str) -> float:
    """Return the seconds of a span of time such as "2 min" or "1.5 h". Raises: CourseError."""
    if (match := SPAN.fullmatch(text.strip())) is None:
        raise CourseError("{given!r} is not a span of time; write it like 2 min.", given=text)
    return float(match[1]) * SECONDS[match[2]]


def _in_utc(local: datetime, zone: tzinfo) -> datetime:
    return local.replace(tzinfo=zone).astimezone(timezone.utc).replace(tzinfo=None)


def zone_of(name: str) -> tzinfo:
    """Return a time zone: UTC, Europe/Paris, +01:00. Raises: CourseError."""
    if shift := re.fullmatch(r"([+-])(\d\d):?(\d\d)", name):
        minutes = int(shift[2]) * 60 + int(shift[3])
        return timezone(timedelta(minutes=minutes if shift[1] == "+" else -minutes))
    if name.upper() in ("UTC", "Z", "GMT"):
        return timezone.utc
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise CourseError("There is no time zone {name!r}; write it like Europe/Paris.", name=name) from None


def said(time: datetime, zone: str = "UTC") -> str:
    """Return a time of the gradebook (in UTC) as people of the course read it: 2030-01-31 23:59 Europe/Paris."""
    local = time.replace(tzinfo=timezone.utc).astimezone(zone_of(zone))
    return f"{local:%Y-%m-%d %H:%M} {zone}"
