"""Put a script into a traceback and into an exception's name. It is shown as text."""

raise type("<script>alert(1)</script>", (Exception,), {})("<img src=x onerror=alert(1)>")
