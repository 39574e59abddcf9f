import type { Rules } from "../check.ts";
import { changed, type FastCode, type FastSite, refuses } from "./site.ts";

/**
 * Section 6.2: the message is the QR URL of this very request. A site that judges only the signature signs in anyone
 * who holds any text that the victim has signed.
 */

type Messages = (code: FastCode, site: FastSite) => readonly (readonly [what: string, message: string])[];

/** Correctly signed messages other than the QR URL are refused, and leave the challenge as it was. */
const refusesMessages = (messagesOf: Messages) =>
  refuses("p2pkh", (wallet, code, site) =>
    messagesOf(code, site).map(([what, message]) => [`a signature over ${what}`, wallet.fields(message)]),
  );

const upper = (text: string) => text.toUpperCase();
/** A QR URL with its parameters in reverse order. */
const reordered = (qr: string) => qr.replace(/(?<=\?).*/, (query) => query.split("&").reverse().join("&"));
/** A text in capitals; in small letters, if it is in capitals already. */
export const otherCase = (text: string) => (upper(text) === text ? text.toLowerCase() : upper(text));

export const FAST_MESSAGE_CHECKS: Rules<FastSite> = {
  "6.2-message-elsewhere": {
    proves: "What somebody signed elsewhere signs nobody in.",
    cause: "The signature is verified over whatever `msg` holds, and `msg` is compared with nothing.",
    run: refusesMessages(({ challenge, sid }) => [
      ["a sentence", "I love Bitcoin"],
      ["the challenge alone", challenge],
      ["sid and challenge", `${sid}${challenge}`],
    ]),
  },
  "6.2-message-origin": {
    proves: "A code of another origin signs nobody in here, though its path and query are the same.",
    cause: "Only the query of `msg` is compared: a phishing site passes on what its visitors sign for it.",
    run: refusesMessages(({ qr, url }, { target: { origin } }) => [
      ["another host", qr.replace(origin.host, "evil.example")],
      ["a host that begins alike", qr.replace(origin.host, `${origin.host}.evil.example`)],
      ["a host that ends alike", qr.replace(origin.host, `evil.${origin.host}`)],
      ["another scheme", qr.replace(origin.protocol, origin.protocol === "http:" ? "https:" : "http:")],
      ["no origin", url.pathname + url.search],
    ]),
  },
  "6.2-message-path": {
    proves: "A URL of this site with another path signs nobody in.",
    cause: "Only origin and query are compared.",
    run: refusesMessages(({ qr, url }) => [
      ["a slash behind the path", qr.replace(url.pathname, `${url.pathname}/`)],
      ["another path", qr.replace(url.pathname, "/login")],
      ["the path in capitals", qr.replace(url.pathname, upper(url.pathname))],
    ]),
  },
  "6.2-message-sid": {
    proves: "A signed code of one login answers no other login: `msg` names the sid of the request.",
    cause: "The challenge in `msg` is looked at, and the sid is not.",
    run: refuses("p2pkh", async (wallet, code, site) => {
      const other = await site.issue();
      return [
        ["a message with another sid", wallet.fields(changed(code, { sid: other.sid }).qr)],
        ["another login's message", wallet.fields(other.qr)],
      ];
    }),
  },
  "6.2-message-challenge": {
    proves: "`msg` names the challenge of the request: an older message answers no newer code.",
    cause: "Whether `msg` is one of the login's codes is asked, and not whether it is this one.",
    run: refuses("p2pkh", async (wallet, first, site) => {
      const second = await site.renew(first);
      const wrong = changed(second, { c: `${"A".repeat(32)}_1700000000` }).qr;
      return [
        ["a message with a made-up challenge", wallet.fields(wrong), second],
        ["the message of the code before", wallet.fields(first.qr), second],
      ];
    }),
  },
  "6.2-message-time": {
    proves: "`msg` names the `t` of the request.",
    cause: "`t` is taken for decoration.",
    run: refuses("p2pkh", (wallet, code) => {
      const other = changed(code, { t: "1" });
      return [
        ["a message with another t", wallet.fields(other.qr)],
        ["a request with another t", wallet.fields(code.qr), other],
      ];
    }),
  },
  "6.2-message-time-issued": {
    level: "SHOULD",
    proves: "`t` is the one that was issued, even where message and request agree on another.",
    cause: "Message and request are compared with each other alone.",
    run: refuses("p2pkh", (wallet, code) => {
      const other = changed(code, { t: "1" });
      return [["another t in message and request", wallet.fields(other.qr), other]];
    }),
  },
  "6.2-message-whole": {
    proves: "`msg` is the whole QR URL and nothing else: no part of it, and nothing around it.",
    cause:
      "`includes`, `startsWith` or `endsWith` instead of `===`; or both are parsed, and what is left over is dropped.",
    run: refusesMessages(({ qr }) => [
      ["all but the time", qr.slice(0, qr.lastIndexOf("&t="))],
      ["a line more", `${qr}\n`],
      ["a space in front", ` ${qr}`],
      ["text in front", `Transfer everything: ${qr}`],
      ["a parameter more", `${qr}&x=1`],
      ["a fragment", `${qr}#x`],
    ]),
  },
  "6.2-message-letter": {
    proves: "`msg` is the QR URL to the letter: another order or letter case is another message.",
    cause: "Both are parsed or put into lower case before they are compared.",
    run: refusesMessages(({ qr, sid, challenge }) => [
      ["the parameters in another order", reordered(qr)],
      ["the scheme in capitals", qr.replace(/^https?/, upper)],
      ["a name in capitals", qr.replace("sid=", "SID=")],
      ["the sid in capitals", qr.replace(sid, otherCase(sid))],
      ["the challenge in capitals", qr.replace(challenge, otherCase(challenge))],
    ]),
  },
};
