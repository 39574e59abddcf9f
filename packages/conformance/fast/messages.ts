import type { Rules } from "../check.ts";
import type { FastId } from "../texts/fast.ts";
import { changed, type FastCode, type FastSite, refuses } from "./site.ts";

/**
 * Section 6.2: the message is the QR URL of this very request. A site that verifies only the signature signs in
 * anyone who has any text that the victim has signed.
 */

type Messages = (code: FastCode, site: FastSite) => readonly (readonly [what: string, message: string])[];

const refusesMessages = (messagesOf: Messages) =>
  refuses("p2pkh", (wallet, code, site) =>
    messagesOf(code, site).map(([what, message]) => [`a signature over ${what}`, wallet.fields(message)]),
  );

const upper = (text: string) => text.toUpperCase();
const reordered = (qr: string) => qr.replace(/(?<=\?).*/, (query) => query.split("&").reverse().join("&"));
/** A text in capitals; in small letters, if it is in capitals already. */
export const otherCase = (text: string) => (upper(text) === text ? text.toLowerCase() : upper(text));

export const FAST_MESSAGE_CHECKS = {
  "6.2-message-elsewhere": refusesMessages(({ challenge, sid }) => [
    ["a sentence", "I love Bitcoin"],
    ["only the challenge", challenge],
    ["sid and challenge", `${sid}${challenge}`],
  ]),
  "6.2-message-origin": refusesMessages(({ qr, url }, { target: { origin } }) => [
    ["another host", qr.replace(origin.host, "evil.example")],
    ["a host that begins alike", qr.replace(origin.host, `${origin.host}.evil.example`)],
    ["a host that ends alike", qr.replace(origin.host, `evil.${origin.host}`)],
    ["another scheme", qr.replace(origin.protocol, origin.protocol === "http:" ? "https:" : "http:")],
    ["no origin", url.pathname + url.search],
  ]),
  "6.2-message-path": refusesMessages(({ qr, url }) => [
    ["a slash behind the path", qr.replace(url.pathname, `${url.pathname}/`)],
    ["another path", qr.replace(url.pathname, "/login")],
    ["the path in capitals", qr.replace(url.pathname, upper(url.pathname))],
  ]),
  "6.2-message-sid": refuses("p2pkh", async (wallet, code, site) => {
    const other = await site.issue();
    return [
      ["a message with another sid", wallet.fields(changed(code, { sid: other.sid }).qr)],
      ["another login's message", wallet.fields(other.qr)],
    ];
  }),
  "6.2-message-challenge": refuses("p2pkh", async (wallet, first, site) => {
    const second = await site.renew(first);
    const wrong = changed(second, { c: `${"A".repeat(32)}_1700000000` }).qr;
    return [
      ["a message with a made-up challenge", wallet.fields(wrong), second],
      ["the message of the code before", wallet.fields(first.qr), second],
    ];
  }),
  "6.2-message-time": refuses("p2pkh", (wallet, code) => {
    const other = changed(code, { t: "1" });
    return [
      ["a message with another t", wallet.fields(other.qr)],
      ["a request with another t", wallet.fields(code.qr), other],
    ];
  }),
  "6.2-message-time-issued": refuses("p2pkh", (wallet, code) => {
    const other = changed(code, { t: "1" });
    return [["another t in message and request", wallet.fields(other.qr), other]];
  }),
  "6.2-message-whole": refusesMessages(({ qr }) => [
    ["all but the time", qr.slice(0, qr.lastIndexOf("&t="))],
    ["a line more", `${qr}\n`],
    ["a space in front", ` ${qr}`],
    ["text in front", `Transfer everything: ${qr}`],
    ["a parameter more", `${qr}&x=1`],
    ["a fragment", `${qr}#x`],
  ]),
  "6.2-message-letter": refusesMessages(({ qr, sid, challenge }) => [
    ["the parameters in another order", reordered(qr)],
    ["the scheme in capitals", qr.replace(/^https?/, upper)],
    ["a name in capitals", qr.replace("sid=", "SID=")],
    ["the sid in capitals", qr.replace(sid, otherCase(sid))],
    ["the challenge in capitals", qr.replace(challenge, otherCase(challenge))],
  ]),
} satisfies Rules<FastSite, FastId>;
