import { randomBytes } from "node:crypto";
import { randomText } from "../wallet/code.ts";
import { waitTurns } from "./reference.fixture.ts";
import { type SignedMessage, signerOf } from "./reference-bitcoin.fixture.ts";
import { type BoundLogin, ReferenceBrowsers, waitBriefly } from "./reference-browsers.fixture.ts";

/** The state of a correct site with fast login. Planted faults change it. */

type Challenge = { text: string; t: string; issuedAt: number };
type Login = BoundLogin & { challenges: Challenge[]; address: string | null };

/** Also the status of the site's response. */
export type FastVerdict = 200 | 400 | 401;

const KEPT = 4;
const LIFETIME_SECONDS = 120;

export class ReferenceFastLogin extends ReferenceBrowsers<Login> {
  /** `qr` is empty if a wallet has already answered the login. */
  async issue(requestedSid: string | null, secret: string | null, host: string) {
    const { has } = this;
    const isNone = requestedSid === "null" || requestedSid === "undefined";
    const sid = requestedSid && !(isNone && !has("null-looked-up")) ? requestedSid : null;
    const login = this.loginFor(sid, secret, () => isNone || has("sid-adopted"));
    if (login.address !== null) {
      if (!has("answered-again")) return { login, qr: "", status: 1 };
      login.address = null;
    }
    const issuedAt = this.seconds;
    const time = Math.floor(issuedAt);
    const text = this.#token(time, "challenge");
    const t = has("decimal-time") ? String(time) : time.toString(16);
    const challenge = { text, t, issuedAt };
    const previousChallenges = login.challenges;
    if (previousChallenges.length > 0 && has("slow-issue")) await waitBriefly();
    if (has("one-challenge")) login.challenges = [challenge];
    else if (has("five-challenges")) login.challenges = [...login.challenges, challenge].slice(-5);
    else login.challenges = [...previousChallenges, challenge].slice(-KEPT);
    if (has("refresh-prolongs")) for (const challenge of login.challenges) challenge.issuedAt = issuedAt;
    return { login, qr: this.#url(login.sid, challenge, host), status: 0 };
  }

  #url(sid: string, { text, t }: Challenge, host = this.origin.host): string {
    const { has } = this;
    const isForged = host !== this.origin.host && has("origin-from-host");
    const origin = has("other-origin")
      ? "https://elsewhere.example"
      : isForged
        ? `http://${host}`
        : this.origin.origin;
    const query = new URLSearchParams({ sid: has("internal-sid") ? `internal-${sid}` : sid, c: text, t });
    if (has("code-tells-more")) query.set("v", "1");
    return `${origin}/api/fastauth?${query}`;
  }

  #token(time: number, what: "sid" | "challenge"): string {
    const { has } = this;
    return `${this.#random(what)}_${has("milliseconds") ? Math.floor(this.seconds * 1000) : time}`;
  }

  #random(what: "sid" | "challenge"): string {
    if (what === "sid" && this.has("short-sid")) return `a${randomBytes(6).toString("hex")}`;
    if (what === "challenge" && this.has("counted-challenge"))
      return `AbCdEfGhIjKlMnOpQrStUvWx${String(this.counter++).padStart(8, "0")}`;
    return randomText(32);
  }

  protected begin(bound: BoundLogin): Login {
    return { ...bound, challenges: [], address: null };
  }

  protected continues(login: Login, isOwn: boolean): boolean {
    if (isOwn) return !this.has("no-refresh");
    return login.address === null ? this.has("refresh-by-sid") : this.has("answered-for-all");
  }

  protected isAnswered({ address }: Login): boolean {
    return address !== null;
  }

  protected userBy({ address }: Login): number | null {
    if (address === null && !this.has("signs-in-waiting")) return null;
    const existingUser = this.users.get(address ?? "");
    if (existingUser !== undefined && !this.has("always-new-user")) return existingUser;
    const id = this.has("one-user") ? 1 : this.users.size + 1 + this.counter++;
    this.users.set(address ?? "", id);
    return id;
  }

  protected newSid(): string {
    return this.#token(Math.floor(this.seconds), "sid");
  }

  /** docs/protocol.md#62-get-and-post-apifastauth. */
  async accept(query: URLSearchParams, signed: SignedMessage): Promise<FastVerdict> {
    const { has } = this;
    const [sid, c, t] = ["sid", "c", "t"].map((name) => query.get(name));
    const login = this.logins.get(sid?.replace("internal-", "") ?? "") ?? this.#loginOf(c ?? "");
    const challenge = login && this.#find(login, c ?? "");
    if (!login || !challenge) return 400;
    if (
      this.seconds - challenge.issuedAt > (has("thirty-seconds") ? 30 : LIFETIME_SECONDS) &&
      !has("never-expires")
    )
      return 400;
    if (has("slow-spend")) await waitTurns(4);
    const isBound = this.#isBound(login, { text: c ?? "", t: t ?? "", issuedAt: 0 }, signed.msg, challenge);
    const address = isBound ? signerOf(signed, has) : null;
    if (address === null) {
      if (has("refusal-spends")) login.challenges = login.challenges.filter((item) => item !== challenge);
      return 401;
    }
    if (login.challenges.length > 1 && has("code-locked-alone")) {
      login.challenges = login.challenges.filter((item) => item !== challenge);
      await waitBriefly();
    }
    for (const item of has("all-waiting") ? this.logins.values() : [login]) item.address ??= address;
    if (!has("never-spent"))
      login.challenges = has("others-live-on") ? login.challenges.filter((item) => item !== challenge) : [];
    return 200;
  }

  #loginOf(c: string): Login | undefined {
    const found = [...this.logins.values()].find(({ challenges }) =>
      challenges.some(({ text }) => text === c),
    );
    return found && this.has("challenge-of-any-login") ? found : undefined;
  }

  #find({ challenges }: Login, c: string): Challenge | undefined {
    const { has } = this;
    const exact = challenges.find(({ text }) => text === c);
    if (exact) return exact;
    const first = challenges[0];
    const joined = challenges.map(({ text }) => text).join(",");
    if (c !== "" && joined.includes(c) && has("found-in-text")) return first;
    if (c === "" && has("empty-found")) return first;
    const alike = challenges.find(({ text }) => text.toLowerCase() === c.trim().toLowerCase());
    if (alike && has("found-without-case")) return alike;
    const isFormed = /^[A-Za-z0-9]{22,}_\d+$/.test(c);
    return isFormed && !challenges.some(({ text }) => text.includes(c)) && has("never-looked-up")
      ? first
      : undefined;
  }

  #isBound(login: Login, sentChallenge: Challenge, msg: string, issued: Challenge): boolean {
    const { has } = this;
    const expected = this.#url(login.sid, sentChallenge);
    if (msg === expected) return sentChallenge.t === issued.t || has("time-not-kept") || has("time-ignored");
    const url = URL.parse(msg);
    const own = new URL(expected);
    const parameters = Object.fromEntries(url?.searchParams ?? []);
    const hasSameParameters = ["sid", "c", "t"].every(
      (name) => parameters[name] === own.searchParams.get(name),
    );
    const isSamePlace = url?.origin === own.origin && url.pathname === own.pathname;
    const differs = (name: string) =>
      msg === expected.replace(`${name}=${own.searchParams.get(name)}`, `${name}=${parameters[name]}`);
    const isCodeOfLogin = login.challenges.some((item) => msg === this.#url(login.sid, item));
    const lax: Record<string, boolean> = {
      unbound: true,
      includes: msg.includes(expected),
      prefix: expected.startsWith(msg) && msg.length > own.origin.length,
      parsed: hasSameParameters && isSamePlace,
      "any-origin": msg.replace(/^[a-z]+:\/\/[^/]+(?=\/api)/, own.origin) === expected,
      "any-path": url !== null && msg.replace(url.pathname, own.pathname) === expected,
      "message-any-sid": differs("sid") && this.logins.has(parameters.sid ?? ""),
      "time-ignored": differs("t"),
      "message-any-code": sentChallenge.t === issued.t && isCodeOfLogin,
    };
    return Object.entries(lax).some(([fault, isTaken]) => isTaken && has(fault));
  }

  knowsAnswer(sid: string): boolean {
    const login = this.logins.get(sid);
    if (login) return login.address !== null;
    const isPart =
      sid.length > 20 &&
      [...this.logins.values()].some((item) => item.sid.includes(sid) && item.address !== null);
    return isPart && this.has("sid-in-text");
  }

  addressOf(sid: string): string | null {
    return this.logins.get(sid)?.address ?? null;
  }
}
