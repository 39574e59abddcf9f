import fc from "fast-check";
import { expect, test } from "vitest";
import { formatHttpsQr, formatSvcUri } from "./qr-payload.ts";

const text = fc.string({ unit: "grapheme" });

test("the svc form is read by any URL parser as what it was made of (specification 2.2)", () => {
  fc.assert(
    fc.property(text, text, text, fc.nat(), (webhook, session, challenge, ts) => {
      const uri = formatSvcUri({ webhook, session, challenge, ts });
      expect(uri).toMatch(/^svc:\/\/auth\?webhook=[^&]*&session=[^&]*&challenge=[^&]*&ts=\d+$/);
      const read = Object.fromEntries(new URL(uri).searchParams);
      expect(read).toEqual({ webhook, session, challenge, ts: String(ts) });
    }),
  );
});

test("the https form is the webhook's own URL with s and c", () => {
  fc.assert(
    fc.property(text, text, (session, challenge) => {
      const url = new URL(formatHttpsQr("https://login.example.com/webhook/login", session, challenge));
      expect(url.origin + url.pathname).toBe("https://login.example.com/webhook/login");
      expect(Object.fromEntries(url.searchParams)).toEqual({ s: session, c: challenge });
    }),
  );
});
