import fc from "fast-check";

/** The words of a text. */
export const words = (text: string) => text.trim().split(/\s+/);
const wordOf = (text: string) => fc.constantFrom(...words(text));

const method = wordOf("GET POST HEAD PUT DELETE PATCH OPTIONS TRACE get QUERY");
const path = wordOf(`
  / /login /dashboard /wallet /console /open /docs/api /healthz /readyz /api/svc/qr /api/svc/check /api/svc/events
  /webhook/login /webhook/register /webhook/sessions/x /webhook/events /api/getqrcode /api/fastauth /api/checkfast
  /api/svc/sign-in /api/auth/csrf /api/auth/callback/svc /api/auth/signout /api/auth/session /v1/sessions /v1/verify
  /sandbox/v1/domains /v1/openapi.json /api/account/sessions /_next/image
`);
const fragment = fc.oneof(
  wordOf("%00 %E0%A4%A %ED%A0%80 .. %2e%2e // \\ ? & = sid= # @ ; %"),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const target = fc
  .tuple(path, fc.array(fragment, { maxLength: 4 }))
  .map(([base, fragments]) => base + latin1(fragments.join("")).replace(/[\r\n ]/g, "_"));
const headerName = wordOf(`
  Host Cookie Authorization Content-Type Content-Length Transfer-Encoding Content-Encoding Origin Referer
  X-Forwarded-For X-Request-Id Accept Accept-Language RSC Next-Action Next-Url Range If-None-Match Expect
  x-middleware-subrequest Idempotency-Key Last-Event-ID Sec-Fetch-Site Upgrade-Insecure-Requests
`);
const headerValue = fc.oneof(
  fc.constantFrom("", "a=b; c", ...words("0 2 -1 application/json chunked null %%% bytes=0- */* gzip")),
  fc.string({ unit: "binary", maxLength: 20 }).map(latin1),
);
const header = fc
  .tuple(headerName, headerValue)
  .map(([name, value]) => `${name}: ${value.replace(/[\r\n]/g, " ")}`);
const body = fc
  .oneof(fc.constant(""), fc.json({ maxDepth: 3 }), fc.string({ unit: "binary", maxLength: 60 }))
  .map(latin1);

/** A request of odd parts, at times with bytes cut out of it or put into it. */
export const hostileRequest: fc.Arbitrary<string> = fc
  .tuple(method, target, fc.array(header, { maxLength: 4 }), body, fc.boolean())
  .map(([verb, where, headers, text, sized]) => {
    const lines = ["Host: localhost", "Connection: close", ...headers];
    if (sized) lines.unshift(`Content-Length: ${text.length}`);
    return [`${verb} ${where} HTTP/1.1`, ...lines, "", text].join("\r\n");
  })
  .chain((bytes) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(bytes) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.nat(bytes.length), fc.nat(8), fc.string({ unit: "binary", maxLength: 4 }).map(latin1))
          .map(([at, cut, put]) => bytes.slice(0, at) + put + bytes.slice(at + cut)),
      },
    ),
  );

function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
