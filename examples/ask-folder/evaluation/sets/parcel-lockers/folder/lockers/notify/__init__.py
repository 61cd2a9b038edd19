"""Messages to residents."""

from lockers.notify.outbox import FileNotifier
from lockers.notify.sms import SmsNotifier


def make_notifier(notify):
    if notify.channel == "file":
        return FileNotifier("var/outbox")
    return SmsNotifier(notify.sender, notify.quiet_from, notify.quiet_until)
