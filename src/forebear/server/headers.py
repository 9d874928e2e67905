"""What every answer tells the browser not to do."""

# Nothing from elsewhere, no script at all, no frames, and no address handed on.  The
# referrer stays inside: without any, browsers send our own forms with `Origin: null`.
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
