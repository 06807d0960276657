"""Open edX's own LTI consumer as a learning platform, in a process and an environment of its own.

    make open-edx                                       makes that environment, .venv-open-edx, 170 MB
    PYTHON tests/helpers/open_edx.py FOLDER STUDENTS PORT TOOL < PUBLIC_KEY      serves until its input ends

`lti-consumer-xblock` asks Open edX's LMS for a few things (its `plugin/compat.py`): the members of a course, the block
of a lesson, the writing of a mark into the LMS's gradebook. These are answered here; all other code, from the sign-in
to the refusal of an earlier mark, is what Open edX runs. Two addresses are this helper's own: `/link` is a teacher's
click on the link, and `/book` the LMS's gradebook.
"""

import json
import logging
import sys
import threading
from socketserver import ThreadingMixIn
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

BLOCK = "block-v1:edu+DL+2026+type@lti_consumer+block@attention"
COURSE = "course-v1:edu+DL+2026"
APPS = (
    *("django.contrib.contenttypes", "django.contrib.auth", "django.contrib.sessions"),
    *("config_models", "waffle", "lti_consumer"),
)


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


def serve(folder: str, students: int, port: int, tool: str, public_key: str) -> None:
    """Serve a course with a number of students and one link to a tool; print the registration, and wait."""
    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application
    from django.urls import include, path

    url = f"http://127.0.0.1:{port}"
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{folder}/edx.db", "OPTIONS": {"timeout": 30}}
    settings.configure(
        SECRET_KEY="for this trial",
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF="edx_urls",
        INSTALLED_APPS=APPS,
        USE_TZ=True,
        DATABASES={"default": database},
        USAGE_ID_PATTERN=r"(?P<usage_id>(?:i4x://?[^/]+/[^/]+/[^/]+/[^@]+(?:@[^/]+)?)|(?:[^/]+))",
        **dict.fromkeys(("LMS_ROOT_URL", "LTI_API_BASE", "LTI_BASE", "LEARNING_MICROFRONTEND_URL"), url),
        PLATFORM_NAME="Open edX",
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
        FEATURES={},
        OPENEDX_TELEMETRY=[],
    )
    urls = SimpleNamespace(urlpatterns=[])
    sys.modules["edx_urls"] = urls  # type: ignore[assignment]
    django.setup()
    call_command("migrate", verbosity=0)
    book = the_lms(students)
    link, registration = the_link(url, tool, public_key)
    urls.urlpatterns += [path("api/", include("lti_consumer.plugin.urls")), *own_pages(link, book)]
    application = get_wsgi_application()
    logging.disable(logging.ERROR)
    server = make_server("127.0.0.1", port, application, server_class=Server, handler_class=Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps(registration), flush=True)
    sys.stdin.read()


def the_lms(students: int) -> dict[str, float]:
    """Answer what the package asks of the LMS; return the LMS's gradebook, student -> share of the maximum."""
    from lti_consumer.plugin import compat, views

    book: dict[str, float] = {}
    people = {
        number: {"id": number, "email": f"s{number:03}@example.edu", "name": f"S {number}"}
        for number in range(students)
    }
    ids = {number: SimpleNamespace(external_user_id=f"ext-{number:04}") for number in people}

    def keep(user: str, share: float, most: float, comment: str) -> None:
        book[user] = share

    def block(location: Any) -> Any:
        return SimpleNamespace(
            has_score=True,
            is_past_due=lambda: False,
            accept_grades_past_due=True,
            max_score=lambda: 1.0,
            set_user_module_score=keep,
            scope_ids=SimpleNamespace(usage_id=location),
        )

    compat.get_course_members = lambda course: {n: one | {"roles": ["student"]} for n, one in people.items()}
    compat.merge_course_forum_roles = lambda course, members: members
    compat.batch_get_or_create_externalids = lambda users: ids
    compat.get_user_from_external_user_id = lambda name: name
    compat.load_block_as_user = block
    compat.get_event_tracker = lambda: None
    views.get_user_model = Mock()
    views.get_lti_pii_sharing_state_for_course = lambda course: True
    views.track_event = lambda *_: None
    return book


def the_link(url: str, tool: str, public_key: str) -> tuple[Any, dict[str, str]]:
    """Make a link to the tool, as a teacher does; return it, and what an administrator copies into lti.toml."""
    from lti_consumer.models import Lti1p3Passport, LtiConfiguration
    from opaque_keys.edx.keys import UsageKey

    passport = Lti1p3Passport.objects.create(lti_1p3_tool_public_key=public_key)
    link = LtiConfiguration.objects.create(
        version="lti_1p3",
        config_store="CONFIG_ON_DB",
        location=UsageKey.from_string(BLOCK),
        lti_1p3_passport=passport,
        lti_1p3_oidc_url=f"{tool}/login",
        lti_1p3_launch_url=f"{tool}/launch",
        lti_advantage_enable_nrps=True,
        lti_advantage_ags_mode="programmatic",
    )
    base = f"{url}/api/lti_consumer/v1"
    return link, {
        "issuer": url,
        "client_id": str(passport.lti_1p3_client_id),
        "deployment_id": "1",
        "login_url": f"{base}/launch/",
        "token_url": f"{base}/token/{passport.passport_id}",
        "keys_url": f"{base}/public_keysets/{passport.passport_id}",
    }


def own_pages(link: Any, book: dict[str, float]) -> list[Any]:
    """Return the addresses of a teacher's click, and of the LMS's gradebook."""
    from django.http import HttpResponseRedirect, JsonResponse
    from django.urls import path
    from lti_consumer.data import Lti1p3LaunchData
    from lti_consumer.models import LtiAgsLineItem

    def click(request: Any) -> Any:
        role = request.GET.get("role", "instructor")
        about = {"name": "Ada", "email": "ada@example.edu", "context_id": COURSE, "context_title": "DL"}
        data = Lti1p3LaunchData("teach", role, str(link.config_id), str(link.location), **about)
        return HttpResponseRedirect(link.get_lti_consumer().prepare_preflight_url(data))

    def show(request: Any) -> Any:
        return JsonResponse({"columns": LtiAgsLineItem.objects.count(), "book": book})

    return [path("link", click), path("book", show)]


if __name__ == "__main__":
    where, number, at, address = sys.argv[1:]
    key = sys.stdin.readline().encode().decode("unicode_escape")
    serve(where, int(number), int(at), address, key)
