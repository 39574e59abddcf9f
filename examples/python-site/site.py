"""A site with the login in one file, written using only docs/protocol.md and Python's standard library.

    python3 site.py                                     # http://localhost:4100
    APP_URL=https://shop.example PORT=4100 python3 site.py

It shares no code with this repository's application, so it shows what the documents say and what they leave out.
`npm test` checks it with the conformance kit. Numbers in comments are sections of docs/protocol.md.

For real users, it would also need a database (the state is in memory and is lost with the process), a server in front
of Python's own that is made for the internet, and recovery (section 10).
"""

import hashlib
import json
import os
import re
import secrets
import sys
import threading
import time
import uuid
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote_to_bytes, urlencode, urlsplit

PORT = int(os.environ.get("PORT", "4100"))
APP = urlsplit(os.environ.get("APP_URL", f"http://localhost:{PORT}"))
# Multiplies every limit. Otherwise, some tests would have to wait until a limit allows requests again.
RATE_LIMIT_SCALE = int(os.environ.get("RATE_LIMIT_SCALE", "1"))
ORIGIN = f"{APP.scheme}://{APP.netloc}"
SECURE = APP.scheme == "https"
# A browser sends the cookies of localhost to all of its ports, so over HTTP their names contain the port (4.1).
PREFIX = "__Host-" if SECURE else f"port-{APP.port or 80}-"
BINDING = f"{PREFIX}svc-browser"
SESSION = f"{PREFIX}session"

CHALLENGE_SECONDS = 30
LOGIN_SECONDS = 600
SESSION_SECONDS = 7 * 86_400
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


class Refusal(Exception):
    """A response that reports an error (2.1)."""

    def __init__(self, status, code, message, details=None, headers=None):
        super().__init__(message)
        self.status, self.details, self.headers = status, details or {}, headers or {}
        self.body = {"error": {"code": code, "message": message, "details": self.details}}


def invalid(message):
    return Refusal(400, "invalid_request", message)


# --- secp256k1 (1.3, 1.4). Not constant-time, because it handles only public data. ---

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def add(one, other):
    """Adds two points. None is the point at infinity."""
    if one is None or other is None:
        return one or other
    (x1, y1), (x2, y2) = one, other
    if x1 == x2:
        if (y1 + y2) % P == 0:
            return None
        slope = 3 * x1 * x1 * pow(2 * y1, -1, P) % P
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, P) % P
    x = (slope * slope - x1 - x2) % P
    return x, (slope * (x1 - x) - y1) % P


def read_key(text):
    """Returns a public key as a point, or None if it is invalid (1.3)."""
    if not re.fullmatch(r"04[0-9a-fA-F]{128}|0[23][0-9a-fA-F]{64}", text):
        return None
    x = int(text[2:66], 16)
    if x >= P:
        return None
    square = (pow(x, 3, P) + 7) % P
    if text.startswith("04"):
        y = int(text[66:], 16)
        return (x, y) if y < P and y * y % P == square else None
    y = pow(square, (P + 1) // 4, P)
    if y * y % P != square:
        return None
    return x, y if y % 2 == int(text[1]) % 2 else P - y


def read_signature(text):
    """Returns r and s from strict DER, or None if the text is invalid (1.4)."""
    if not re.fullmatch(r"([0-9a-fA-F]{2}){8,72}", text):
        return None
    der = bytes.fromhex(text)
    if der[0] != 0x30 or der[1] != len(der) - 2:
        return None
    numbers, at = [], 2
    while at < len(der) and len(numbers) < 2:
        if der[at] != 0x02 or at + 2 > len(der):
            return None
        value = der[at + 2 : at + 2 + der[at + 1]]
        if len(value) != der[at + 1] or not value or value[0] > 0x7F:
            return None
        if len(value) > 1 and value[0] == 0 and value[1] <= 0x7F:
            return None
        numbers.append(int.from_bytes(value, "big"))
        at += 2 + len(value)
    if at != len(der) or len(numbers) != 2 or not all(1 <= number < N for number in numbers):
        return None
    return numbers


def verifies(key, signature, message):
    """Verifies ECDSA over the SHA-256 of the message, hashed once. A high s is as valid as a low one."""
    r, s = signature
    digest = int.from_bytes(hashlib.sha256(message.encode()).digest(), "big")
    inverse = pow(s, -1, N)
    u, v = digest * inverse % N, r * inverse % N
    both, total = add(G, key), None
    for bit in range(255, -1, -1):
        total = add(total, total)
        term = (None, G, key, both)[(u >> bit & 1) + 2 * (v >> bit & 1)]
        total = add(total, term)
    return total is not None and total[0] % N == r


# --- State. It changes only under the lock, so simultaneous requests are handled one after the other. ---

lock = threading.Lock()
logins = {}  # sid -> Login
challenges = {}  # text -> (Login, action, issued)
users = {}  # public key, uncompressed and lower-case -> user id
sessions = {}  # hash of the token -> (user id, expiry)
bindings = {}  # hash of a binding secret that this site made -> expiry
counters = {}  # (path, client) -> [end of the window, count]


class Login:
    def __init__(self, binding):
        self.sid = secrets.token_urlsafe(24)
        self.binding = binding
        self.asked = now()
        self.status = "pending"
        self.user = self.answered = self.attempt = self.token = None
        self.is_over = False

    def is_alive(self):
        return not self.is_over and now() < self.asked + LOGIN_SECONDS


def now():
    return time.time()


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def forget_old():
    """Deletes challenges after ten minutes, logins after a day (3.3), and other data when it expires."""
    moment = now()
    for table, ends in (
        (challenges, lambda item: item[2] + LOGIN_SECONDS),
        (logins, lambda login: login.asked + 86_400),
        (sessions, lambda item: item[1]),
        (bindings, lambda until: until),
        (counters, lambda item: item[0]),
    ):
        for key in [key for key, item in table.items() if ends(item) < moment]:
            del table[key]


# --- Endpoints. Each receives the call and returns a status, a body and cookies. ---


def give_code(call):
    """GET /api/svc/qr (3.1)."""
    mode = call.query.get("mode", "login")
    if mode not in ("login", "register"):
        raise invalid("mode is login or register.")
    if "intent" in call.query:
        raise invalid("This site knows no intents.")
    with lock:
        forget_old()
        secret = call.cookie(BINDING)
        # 4.1: never adopt a secret that this site did not create.
        if digest(secret) not in bindings:
            secret = secrets.token_urlsafe(32)
        binding = digest(secret)
        bindings[binding] = now() + LOGIN_SECONDS
        login = logins.get(call.query.get("sid"))
        if login is None or login.binding != binding or login.answered or not login.is_alive():
            login = Login(binding)
            logins[login.sid] = login
        issued = int(now())
        login.asked, login.status = now(), "pending"
        nonce = "".join(secrets.choice(ALPHABET) for _ in range(32))
        text = f"svc:{mode}:{APP.hostname}:{issued}:{nonce}"
        challenges[text] = (login, mode, issued)
    payload = {"webhook": f"{ORIGIN}/webhook/{mode}", "session": login.sid, "challenge": text, "ts": issued}
    body = {
        "sid": login.sid,
        "challenge": text,
        "qr": f"svc://auth?{urlencode(payload)}",
        "expiresAt": issued + CHALLENGE_SECONDS,
    }
    return 200, body, [cookie(BINDING, secret, LOGIN_SECONDS)]


def tell_status(call):
    """GET /api/svc/check (3.3)."""
    if not call.query.get("sid"):
        raise invalid("Name a sid.")
    with lock:
        login = logins.get(call.query["sid"])
        if login is None:
            raise Refusal(404, "session_not_found", "There is no such login. Ask for a new code.")
        if not login.is_alive():
            raise Refusal(410, "session_expired", "This login is over. Ask for a new code.")
        if not login.answered:
            return 200, {"status": login.status}, []
        return 200, {"status": "authenticated", "user_id": login.user, "redirect": "/"}, []


def take_response(call, action):
    """POST /webhook/login and /webhook/register (3.2), in the order of its table."""
    response = read_response(call.read_json())
    expired = Refusal(408, "challenge_expired", "This code has expired. Scan the code that is on the screen now.")
    # A challenge is accepted only with its exact text (1.1).
    login, of_action, issued = challenges.get(response["challenge"], (None, None, 0))
    if login is None or of_action != action or now() >= issued + CHALLENGE_SECONDS:
        raise expired
    if login.answered or not login.is_alive():
        raise expired
    key, signature = read_key(response["public_key"]), read_signature(response["signature"])
    if not key or not signature or not verifies(key, signature, response["challenge"]):
        raise Refusal(406, "invalid_signature", "The signature does not belong to this code and key.")
    if response.get("intent") is not None:
        raise Refusal(406, "intent_mismatch", "This code only signs in. Scan it on the site itself.")
    name = f"04{key[0]:064x}{key[1]:064x}"
    with lock:
        # Check again: another response might have been accepted while this signature was verified.
        if login.answered or not login.is_alive() or now() >= issued + CHALLENGE_SECONDS:
            raise expired
        if action == "login" and name not in users:
            login.status = "unregistered"
            raise Refusal(404, "user_not_found", "This key has no account here. Register first.")
        login.user = users.setdefault(name, len(users) + 1)
        login.answered = now()
    return 200, {"status": "authenticated"}, []


def read_response(body):
    """Validates a wallet response (1.5)."""
    for field in ("public_key", "signature", "challenge"):
        if not is_text(body.get(field), 4_096):
            raise invalid(f"{field} is a text.")
    stamp = body.get("timestamp")
    if type(stamp) is not int or not 0 <= stamp <= 253_402_300_799:
        raise invalid("timestamp is Unix seconds, an integer.")
    device = body.get("device_info", {})
    if not isinstance(device, dict):
        raise invalid("device_info is an object.")
    for field, longest in (("platform", 100), ("version", 100), ("device_id", 200)):
        if field in device and not is_text(device[field], longest):
            raise invalid(f"device_info.{field} is a text of at most {longest} characters.")
    if body.get("intent") is not None and not is_text(body["intent"], 100):
        raise invalid("intent is a text or null.")
    return body


def is_text(value, longest):
    return isinstance(value, str) and "\0" not in value and len(value.encode("utf-16-le")) <= 2 * longest


def sign_in(call):
    """POST /api/svc/sign-in (3.5): exchanges an answered login for a session, once."""
    call.expect_own_page()
    body = call.read_json()
    attempt = body.get("attempt")
    if not is_text(body.get("sid"), 200):
        raise invalid("sid is a text.")
    if attempt is not None and not (is_text(attempt, 64) and re.fullmatch("[0-9a-f]{32,64}", attempt)):
        raise invalid("attempt is 32 to 64 lower-case hex digits.")
    with lock:
        login = logins.get(body["sid"])
        # 4.2: redeem only for the browser that has the secret, and only while the answer is recent.
        fits = login and login.binding == digest(call.cookie(BINDING)) and login.answered and not login.is_over
        if not fits or now() >= login.answered + LOGIN_SECONDS:
            raise_failed_sign_in(call)
        if login.token is None:
            login.token, login.attempt = secrets.token_urlsafe(32), attempt
            sessions[digest(login.token)] = (login.user, now() + SESSION_SECONDS)
        # The login has already been redeemed. If the response was lost, the page may repeat the request. Only that page
        # knows its attempt.
        elif attempt is None or attempt != login.attempt:
            raise_failed_sign_in(call)
        return 200, {"redirect": "/"}, [cookie(SESSION, login.token, SESSION_SECONDS)]


def raise_failed_sign_in(call):
    count(f"failed {call.path}", call.client_address[0], 60)
    raise Refusal(401, "session_not_found", "There is nothing to sign in here. Scan a new code.")


def sign_out(call):
    """POST /api/svc/sign-out (4.3)."""
    call.expect_own_page()
    with lock:
        sessions.pop(digest(call.cookie(SESSION)), None)
        binding = digest(call.cookie(BINDING))
        bindings.pop(binding, None)
        for login in logins.values():
            if login.binding == binding:
                login.is_over = True
    return 200, {"redirect": "/login"}, [cookie(SESSION, "", 0), cookie(BINDING, "", 0)]


def tell_session(call):
    """GET /api/svc/session: who is signed in."""
    return 200, {"user_id": user_of(call)}, []


def user_of(call):
    user, until = sessions.get(digest(call.cookie(SESSION)), (None, 0))
    return user if now() < until else None


def cookie(name, value, seconds):
    secure = "; Secure" if SECURE else ""
    return f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def count(name, client, limit):
    """Counts a request in a fixed window of one minute (2.4). Returns the rate-limit headers."""
    with counting:
        window = counters.get((name, client))
        if window is None or window[0] <= now():
            window = counters[name, client] = [now() + 60, 0]
        window[1] += 1
        left = max(1, round(window[0] - now()))
    headers = {"RateLimit-Limit": limit, "RateLimit-Remaining": max(0, limit - window[1]), "RateLimit-Reset": left}
    if window[1] > limit:
        message = f"Too many requests. Try again in {left} seconds."
        raise Refusal(429, "rate_limited", message, {"retry_after": left}, {**headers, "Retry-After": left})
    return headers


counting = threading.Lock()

ROUTES = {
    "/api/svc/qr": ("GET", give_code, 120),
    "/api/svc/check": ("GET", tell_status, 1_200),
    "/api/svc/session": ("GET", tell_session, 1_200),
    "/api/svc/sign-in": ("POST", sign_in, None),
    "/api/svc/sign-out": ("POST", sign_out, None),
    "/webhook/login": ("POST", lambda call: take_response(call, "login"), 120),
    "/webhook/register": ("POST", lambda call: take_response(call, "register"), 120),
}


class Call(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10  # Seconds. This ends requests whose body never arrives completely (2.2).

    def answer(self):
        headers = {}
        try:
            # Otherwise, the server would treat a body that has not been read as the next request.
            self.close_connection = self.close_connection or self.command not in ("GET", "HEAD", "OPTIONS")
            status, body, cookies = self.carry_out(headers)
        except Refusal as refusal:
            status, body, cookies = refusal.status, refusal.body, []
            headers.update(refusal.headers)
        except Exception as error:
            self.log_error("%r", error)
            status, body, cookies = 500, Refusal(500, "internal_error", "Try again in a moment.").body, []
        self.write(status, body, cookies, headers)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = answer

    def carry_out(self, headers):
        if len(self.path) > 4_096:
            raise Refusal(414, "uri_too_long", "The address is too long.")
        if len(self.headers.items()) > 128 or sum(len(k) + len(v) + 4 for k, v in self.headers.items()) > 16_384:
            raise Refusal(431, "headers_too_large", "The headers are too large.")
        self.path, _, query = self.path.partition("?")
        if self.path in PAGES and self.command in ("GET", "HEAD"):
            return 200, PAGES[self.path](self), []
        if self.path not in ROUTES:
            raise Refusal(404, "not_found", "There is nothing at this URL.")
        method, handle, limit = ROUTES[self.path]
        if self.path.startswith("/webhook/"):
            headers["Access-Control-Allow-Origin"] = "*"
            if self.command == "OPTIONS":
                headers["Access-Control-Allow-Methods"] = "POST"
                headers["Access-Control-Allow-Headers"] = "Content-Type"
                headers["Access-Control-Max-Age"] = "86400"
                return 204, None, []
        if self.command != method and (self.command, method) != ("HEAD", "GET"):
            allowed = {"Allow": "GET, HEAD" if method == "GET" else method}
            raise Refusal(405, "method_not_allowed", f"Use {method} here.", headers=allowed)
        if limit:
            headers.update(count(self.path, self.client_address[0], limit * RATE_LIMIT_SCALE))
        self.query = read_query(query)
        return handle(self)

    def read_json(self):
        kind = self.headers.get("Content-Type", "").split(";")[0].strip().lower()
        if kind != "application/json" or self.headers.get("Content-Encoding", "identity") != "identity":
            raise Refusal(415, "unsupported_media_type", "Send JSON as application/json, uncompressed.")
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length):
            raise invalid("Send the body's Content-Length.")
        if int(length) > 65_536:
            raise Refusal(413, "payload_too_large", "The body has more than 64 KB.")
        try:
            text = self.rfile.read(int(length)).decode()
            body = json.loads(text, parse_constant=lambda name: exit_json(name))
            # Lone surrogates cannot be encoded.
            json.dumps(body, ensure_ascii=False).encode()
        except TimeoutError:
            raise invalid("The body did not arrive.") from None
        except (ValueError, RecursionError):
            raise invalid("The body is not JSON in UTF-8.") from None
        if not isinstance(body, dict) or depth_of(body) > 16:
            raise invalid("The body is a JSON object of at most 16 levels.")
        return body

    def expect_own_page(self):
        """Refuses a request that a page on another site sends with this browser's cookies (3.5)."""
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site", "none")
        if origin != ORIGIN if origin is not None else site not in ("same-origin", "none"):
            raise Refusal(403, "forbidden", "This request comes from another site.")

    def cookie(self, name):
        try:
            morsel = SimpleCookie(self.headers.get("Cookie", "")).get(name)
        except CookieError:
            return ""
        return morsel.value if morsel else ""

    def write(self, status, body, cookies=(), headers=None):
        is_page = isinstance(body, str)
        content = b"" if body is None else body.encode() if is_page else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8" if is_page else "application/json")
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Request-Id", str(uuid.uuid4()))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", POLICY if is_page else "default-src 'none'; frame-ancestors 'none'")
        if self.close_connection:
            self.send_header("Connection", "close")
        for name, value in (headers or {}).items():
            self.send_header(name, str(value))
        for value in cookies:
            self.send_header("Set-Cookie", value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def send_error(self, code, message=None, explain=None):
        """Sends errors from Python's own server in the format of this site's errors."""
        self.close_connection = True
        names = {414: "uri_too_long", 431: "headers_too_large", 501: "method_not_allowed"}
        headers = {"Allow": "GET, HEAD, POST"} if code == 501 else {}
        status = 405 if code == 501 else code
        refusal = Refusal(status, names.get(code, "invalid_request"), "This request cannot be read.")
        self.write(status, refusal.body, (), headers)

    def log_message(self, *_):
        """Logs nothing, because an access log would contain sids."""


def exit_json(name):
    raise ValueError(name)


def depth_of(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max((depth_of(item) for item in inner), default=0) if isinstance(value, (dict, list)) else 0


def read_query(text):
    """Returns the query's fields, which must not be repeated (2.2)."""
    fields = [field.partition("=") for field in text.split("&")] if text else []
    if len(fields) > 64 or re.search("%(?![0-9a-fA-F]{2})", text):
        raise invalid("The query cannot be read.")
    try:
        pairs = [[unquote_to_bytes(part.replace("+", " ")).decode() for part in (k, v)] for k, _, v in fields]
    except UnicodeDecodeError:
        raise invalid("The query is not UTF-8.") from None
    query = dict(pairs)
    if len(query) < len(pairs) or "\0" in "".join(query.values()):
        raise invalid("The query names a field twice, or holds NUL.")
    return query


# --- Pages. You can draw `qr` as a QR code with any library. The link opens a wallet on the same device. ---

SCRIPT = """
const ask = async (path, init) => (await fetch(path, init)).json();
const post = (path, body) => ask(path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
});
const mode = new URLSearchParams(location.search).get("mode") ?? "login";
const link = document.querySelector("#code");
let sid = "";
async function renew() {
  const code = await ask(`/api/svc/qr?${new URLSearchParams(sid ? { mode, sid } : { mode })}`);
  ({ sid } = code);
  link.href = link.textContent = code.qr;
}
async function look() {
  if ((await ask(`/api/svc/check?sid=${sid}`)).status !== "authenticated") return;
  const { redirect } = await post("/api/svc/sign-in", { sid });
  if (redirect) location.assign(redirect);
}
document.querySelector("#out")?.addEventListener("click", async () => {
  location.assign((await post("/api/svc/sign-out", {})).redirect);
});
if (link) {
  await renew();
  setInterval(renew, 30_000);
  setInterval(look, 5_000);
}
"""
HASH = __import__("base64").b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
POLICY = f"default-src 'none'; script-src 'sha256-{HASH}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"


def page(text):
    start = '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    return f'{start}<title>Python site</title>{text}<script type="module">{SCRIPT}</script>'


def home(call):
    user = user_of(call)
    if user is None:
        return page('<h1>Signed out</h1><p><a href="/login">Sign in</a> or <a href="/login?mode=register">register</a>')
    return page(f'<h1>You are user {user}</h1><button id="out">Sign out</button>')


PAGES = {"/": home, "/login": lambda call: page('<h1>Open this in your wallet</h1><p><a id="code"></a>')}


class Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def handle_error(self, request, client_address):
        # If a client disconnects, that is not an error of this site.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


if __name__ == "__main__":
    server = Server(("127.0.0.1" if APP.hostname == "localhost" else "", PORT), Call)
    print(f"Ready on {ORIGIN}", flush=True)
    server.serve_forever()
