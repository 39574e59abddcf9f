import type { IdOf, Texts } from "../check.ts";

/** What the checks of a wallet require, by what they guard. */
export const WALLET_TEXTS = {
  "What a wallet sends": {
    why: "A response of another form is refused everywhere, and what comes along with it tells the site more than its user agreed to.",
    fix: "Sign the challenge's UTF-8 bytes once over SHA-256, as hex of strict DER, and POST the documented fields as JSON by a client without cookies and referrer. The test vectors of docs/wallet.md show each step.",
    checks: {
      "1.2-unknown-parameter": {
        requirement: "Parameters of a payload that the wallet does not know are ignored.",
        cause: "The payload is read strictly, so that newer sites are turned away.",
      },
      "1.4-sent": {
        requirement: "The signature is strict DER and verifies over SHA-256 of the challenge, hashed once, with the key that is sent.",
        cause: "The text is hashed twice, or the signature is raw or in base64.",
      },
      "1.5-sent": {
        requirement: "What the wallet sends has the documented fields, with their types, as JSON.",
        cause: "A field has another name, or the timestamp is in milliseconds or a text.",
      },
      "7-answers": {
        requirement: "The wallet answers a correct code once, by POST to the webhook, and says that it worked.",
        cause: "The command waits for a question, or does not end with 0: begin here.",
      },
      "7-no-cookies": {
        requirement: "The wallet sends no cookies, credentials or referrer with its answer.",
        cause: "The request is made by a browser's default settings.",
      },
    },
  },
  "Asking who is asking (optional)": {
    why: "A user who sees which browser asks notices a code that somebody else relays. The question must not become a way to hold the wallet up, or to write on its screen.",
    fix: "GET the webhook's address with `s`, `c` and `Accept: application/json` before you sign, for a few seconds at most. Refuse where the site names another intent, go on where it says nothing, and show the name as plain text.",
    checks: {
      "11.1-asks": {
        level: "SHOULD",
        requirement: "Whoever asks who is asking does so at the webhook, with the code's own challenge, for JSON.",
        cause: "The question has another form, or `Accept` names pages too, so that a site answers with a page.",
      },
      "11.1-asks-privately": {
        level: "SHOULD",
        requirement: "The question carries no cookies, credentials or referrer.",
        cause: "The request is made by a browser's default settings.",
      },
      "11.1-asks-first": {
        level: "SHOULD",
        requirement: "The wallet asks before it signs, not after.",
        cause: "Both requests are sent at once, so its user sees the browser when it is signed in.",
      },
      "11.1-untold": {
        level: "SHOULD",
        requirement: "A site that does not say who is asking, or says nonsense, is answered all the same.",
        cause: "The question's failure ends the login, and most sites have nothing that answers it.",
      },
      "11.1-untold-in-time": {
        level: "SHOULD",
        requirement: "A site that lets the question hang is answered all the same, within a few seconds.",
        cause: "The question has no deadline, or one that ends at the answer's headers.",
      },
      "11.1-asks-nobody-else": {
        level: "SHOULD",
        requirement: "The wallet follows no redirect of its question.",
        cause: "The HTTP client follows redirects by default, so that another site learns who scans which code.",
      },
      "11.1-intent-differs": {
        level: "SHOULD",
        requirement: "Where the site says that a code asks for something else than its payload does, it is refused.",
        cause: "The site's word is shown and not compared: whoever relays a code can drop or change its intent.",
      },
      "11.1-plain-name": {
        level: "SHOULD",
        requirement: "The wallet shows a browser's name without control and bidi characters.",
        cause: "The name goes to the screen as it came. Whoever asks for the code chooses what it is made from.",
      },
    },
  },
  "Offering to take a login back (optional)": {
    why: "It ends a relayed login a moment too late. An address that is opened without a word, or on another host, is a weapon for the site.",
    fix: "Treat every 200 as success, whatever is in it. Offer `undo` only on the webhook's own origin, and POST to it only when its user says so.",
    checks: {
      "11.2-takes-any-answer": {
        level: "SHOULD",
        requirement: "A 200 is success, whatever the site says in it of the browser, and whatever else.",
        cause: "The members are required, read without a look at their types, or the only ones that are allowed.",
      },
      "11.2-undoes-nothing": {
        level: "SHOULD",
        requirement: "The wallet opens the undo address only when its user says so.",
        cause: "The address is fetched to look at it, or as soon as something seems wrong.",
      },
      "11.2-undo-elsewhere": {
        level: "SHOULD",
        requirement: "An undo address on another host or port than the webhook's is ignored.",
        cause: "The address is offered as it came, so that a site can have its users post wherever it likes.",
      },
    },
  },
  "What a wallet shows": {
    why: "The domain on the wallet's own screen is all that protects against a code that somebody else relays. Whoever can write to that screen can forge it.",
    fix: "Show domain and action from the challenge that you sign, before you send. Send the intent that you showed, null for none. Show a site's words as plain text, without control and direction characters.",
    checks: {
      "3.6-shown-none": {
        level: "SHOULD",
        requirement: "For a code without an intent the wallet sends `intent` as null, since it showed none.",
        cause: "The field is left out where there is nothing to say, and so is the word that a relay dropped an intent.",
      },
      "3.6-shown": {
        level: "SHOULD",
        requirement: "The wallet sends the intent that it showed: whoever relays a code can drop or change it.",
        cause: "The answer is made from the challenge alone. Without the field a site cannot refuse a code that was changed on its way.",
      },
      "7-shows-domain": {
        requirement: "The wallet shows the domain and what is asked before it sends anything.",
        cause: "The question is asked without the one thing that protects against a relayed code.",
      },
      "7-says-why": {
        level: "SHOULD",
        requirement: "The wallet says what the site said when it is turned away.",
        cause: "The answer's body is not read, so its user does not learn what to do.",
      },
      "7-plain-text": {
        requirement: "The wallet shows a site's words without control and bidi characters.",
        cause: "The message goes to the terminal or the page as it came, so that a site can rewrite what the wallet says.",
      },
    },
  },
  "Sites cannot recognise each other's users": {
    why: "One key, or one device identifier, for all sites lets them put their data together. A key that another wallet cannot derive again is lost with the phone.",
    fix: "Derive the key from the phrase and `svc://` with the domain, as docs/wallet.md says. Make `device_id` from the domain too, or leave it out.",
    checks: {
      "7-one-key-per-domain": {
        requirement: "The wallet uses one key for a domain, and another for another domain.",
        cause: "One key for everything, by which sites recognise their users together; or a new one every time.",
      },
      "7-device-per-domain": {
        level: "SHOULD",
        requirement: "`device_info.device_id` is another at every domain, or is left out.",
        cause: "The identifier is that of the phone or of the installation.",
      },
      "7-derivation": {
        level: "SHOULD",
        requirement: "The phrase of the test vectors leads to the documented key, so that it is the same in every wallet.",
        cause: "Another path, another account, or the domain without `svc://` in front of it.",
      },
    },
  },
  "Where the answer goes": {
    why: "The answer is the login. On another host, or in clear text, somebody else uses it first.",
    fix: "Parse the webhook once with a URL parser, refuse user info and every text that the parser changed, and compare its host with the challenge's domain by `===`. Require https except for loopback names, and follow no redirect.",
    checks: {
      "7-webhook-host": {
        requirement: "A webhook on another host than the challenge's domain is refused: nothing is sent.",
        cause: "Hosts are compared by `endsWith`, `startsWith` or `includes`, or not at all.",
      },
      "7-webhook-credentials": {
        requirement: "A webhook with user name or password is refused.",
        cause: "The host is read from the text in front of the first slash.",
      },
      "7-webhook-disguised": {
        requirement: "A webhook whose host is written in disguise is refused.",
        cause: "The URL parser turns the host into another text than the one that was shown.",
      },
      "7-webhook-https": {
        requirement: "A webhook over http is refused, except on this very machine.",
        cause: "The scheme is not looked at, so the answer travels in clear text.",
      },
      "7-redirect": {
        requirement: "The wallet follows no redirect, and does not take one for success.",
        cause: 'The HTTP client follows redirects by default: `redirect: "manual"` or its like is missing.',
      },
    },
  },
  "Codes that every wallet refuses": {
    why: "A wallet that signs any text signs anything for anybody. An old or doubled challenge is one that was shown to somebody else.",
    fix: "Match the whole challenge with the pattern of section 1.1 of the protocol, and its time with your own clock. Refuse a parameter that comes twice, and an action that its user did not ask for.",
    checks: {
      "7-expired": {
        requirement: "A challenge that is older than 30 seconds is refused.",
        cause: "The timestamp is not compared with the clock, or `ts` is, which nobody signs.",
      },
      "7-future": {
        requirement: "A challenge from the future is refused.",
        cause: "Only the age is compared, and a negative one is young.",
      },
      "7-parameter-twice": {
        requirement: "A payload that names a parameter twice is refused.",
        cause: "One of the two is shown, and the other is answered.",
      },
      "7-no-challenge": {
        requirement: "The wallet signs nothing but a challenge: every other text is refused.",
        cause: "The text is signed as it comes, so that any site gets a signature over whatever it likes.",
      },
      "7-wrong-action": {
        requirement: "A register code is refused where the user wants to log in, and the other way round.",
        cause: "The action is shown, and not compared with what was asked for.",
      },
    },
  },
  "When a wallet tries again": {
    why: "A lost answer would be a lost login. But wallets that repeat without an end keep a site down, and a new signature may count twice.",
    fix: "Keep the bytes, and send them again after a 5xx or a lost connection, with growing pauses, until the challenge is 30 seconds old. A 4xx is final, and only 200 is success.",
    checks: {
      "7-only-200": {
        requirement: "Only 200 is success.",
        cause: "Any 2xx counts, or only whether an answer came.",
      },
      "7-tries-again": {
        requirement: "After a 5xx or a lost connection the wallet sends the same bytes again.",
        cause: "The first failure ends the attempt, or the answer is signed anew.",
      },
      "7-pauses-grow": {
        level: "SHOULD",
        requirement: "The wallet pauses longer before each further try.",
        cause: "A fixed pause, with which all wallets together keep a site down.",
      },
      "7-final": {
        requirement: "A 4xx is final: the wallet does not send again.",
        cause: "Every failure is tried again.",
      },
      "7-not-after": {
        requirement: "The wallet tries only while the challenge lives.",
        cause: "A fixed number of tries, whatever the time.",
      },
      "7-patient": {
        requirement: "The wallet waits for an answer that takes five seconds, and sends once.",
        cause: "The request is given up too early, and sent again while the first is being judged.",
      },
    },
  },
  "Which domains may name a host": {
    why: "A delegation lets another host receive the answer. A file that is read loosely lets anybody name themselves.",
    fix: "Fetch it only where everything else is right, over https, without cookies and redirects, within three seconds and 8 KB. Read it strictly, keep it as long as it says, and refuse on any doubt.",
    checks: {
      "9.1-file": {
        requirement: "What is not exactly the file is no delegation: status, content type, size, JSON with each name once.",
        cause: "The answer goes through `response.json()` without a look at its status, type or length.",
      },
      "9.1-domain": {
        requirement: "A file that names another domain, or none, is no delegation.",
        cause: "Only `webhook_hosts` is read, so that a file which is copied or served for every host counts.",
      },
      "9.1-hosts": {
        requirement: "A host is named exactly, among one to five: no wildcard, port, capitals or parent.",
        cause: "Hosts are compared by `includes`, `endsWith` or without regard to case, or the list is not checked.",
      },
      "9.2-answers": {
        level: "SHOULD",
        requirement: "Where the domain names the host, the wallet answers there.",
        cause: "The file is asked for and not heeded, or asked for at another path.",
      },
      "9.2-redirect": {
        requirement: "The wallet follows no redirect to the file.",
        cause: "The HTTP client follows redirects by default.",
      },
      "9.2-in-time": {
        requirement: "The wallet waits three seconds for the file, and no longer.",
        cause: "The request has no deadline, so that a site can hold its user up until the code has expired.",
      },
      "9.2-kept": {
        level: "SHOULD",
        requirement: "What a domain has said, a failure too, is kept for five minutes at least: the next code asks nobody.",
        cause: "Nothing is kept, or `Cache-Control` is taken by the letter, so a site sees each login twice.",
      },
      "9.2-no-cookies": {
        requirement: "The wallet asks without cookies, credentials and referrer.",
        cause: "The request is made by a browser's default settings.",
      },
      "9.2-not-before": {
        requirement: "The wallet asks nobody about a code that is refused anyway.",
        cause: "The file is fetched first, so that whoever shows a code learns who scans it.",
      },
      "9.2-https": {
        requirement: "The wallet asks over https a domain that is reached over a network.",
        cause: "The scheme that is right for localhost is used for every name.",
      },
    },
  },
} as const satisfies Texts;

export type WalletId = IdOf<typeof WALLET_TEXTS>;
