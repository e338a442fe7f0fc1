"""What you do with events; here they are printed."""

import json

from omi.events import Event, Handler, Handlers


def printer(what: str) -> Handler:
    def show(event: Event) -> None:
        metadata = event["metadata"]
        shown = {"what": what, "type": metadata["type"], "id": metadata["eventId"], "payload": event.get("payload")}
        print(json.dumps(shown))

    return show


HANDLERS = Handlers(
    public={
        ("UserSignedInEvent", "1"): printer("signed in"),
        ("PushNotificationConfirmedEvent", "1"): printer("confirmed"),
        ("PushNotificationDeniedEvent", "1"): printer("denied"),
    },
    log=printer("audit"),
    other=printer("not known"),
)
