import fc from "fast-check";
import { expect, test } from "vitest";
import { formatHttpsQr, formatSvcUri, INTENTS, isSid, parseIntent } from "./qr-payload.ts";

const text = fc.string({ unit: "grapheme" });
const intents = fc.constantFrom(null, ...INTENTS);

test("creates an svc:// URL that every URL parser reads back unchanged", () => {
  fc.assert(
    fc.property(text, text, text, fc.nat(), intents, (webhook, session, challenge, ts, intent) => {
      const uri = formatSvcUri({ webhook, session, challenge, ts, intent });
      expect(uri).toMatch(
        /^svc:\/\/auth\?webhook=[^&]*&session=[^&]*&challenge=[^&]*&ts=\d+(&intent=[a-z]+)?$/,
      );
      const read = Object.fromEntries(new URL(uri).searchParams);
      expect(read).toEqual({ webhook, session, challenge, ts: String(ts), ...(intent && { intent }) });
    }),
  );
});

test("creates an https:// URL from the webhook's own URL with the parameters s and c", () => {
  fc.assert(
    fc.property(text, text, intents, (session, challenge, intent) => {
      const webhook = "https://login.example.com/webhook/login";
      const url = new URL(formatHttpsQr({ webhook, session, challenge, intent }));
      expect(url.origin + url.pathname).toBe("https://login.example.com/webhook/login");
      expect(Object.fromEntries(url.searchParams)).toEqual({
        s: session,
        c: challenge,
        ...(intent && { intent }),
      });
    }),
  );
});

test("recognises an intent only by its exact name", () => {
  for (const intent of INTENTS) expect(parseIntent(intent)).toBe(intent);
  for (const other of ["", "Approve", "approve ", "login", "toString", null, undefined]) {
    expect(parseIntent(other)).toBeNull();
  }
});

test("accepts a sid of at most 64 letters, digits, hyphens and underscores", () => {
  for (const sid of ["a", "-", "_", "Zz09-_", "x".repeat(64)]) expect(isSid(sid)).toBe(true);
  for (const none of ["", "x".repeat(65), " a", "a ", "a\n", "a\nb", "a.b", "ä", "\0", "%", "'"]) {
    expect(isSid(none)).toBe(false);
  }
});
