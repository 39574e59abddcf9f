import { skip } from "./check.ts";
import { type Cookie, canBeSession, isRemoval } from "./cookies.ts";
import {
  type Answer,
  bodyOf,
  type EventStream,
  type HttpClient,
  type Outgoing,
  redirectOf,
  withBody,
} from "./http-client.ts";

/**
 * `signIn` is NextAuth's callback, or any path that accepts `{"sid":…}`. With NextAuth, the paths for `session` and
 * `signOut` are derived from `signIn`.
 */
type SignInTarget = { origin: URL; signIn: string; session?: string | null; signOut?: string | null };

export const HTML = { Accept: "text/html,*/*" };
const REDIRECTS_AT_MOST = 6;

/** NextAuth sets these cookies in addition to the session cookie. */
const BESIDE_A_SESSION = /csrf|callback-url/i;

export type SignedIn = {
  answer: Answer;
  /** Null if the sign-in was refused. */
  session: Cookie | null;
};

type Options = Pick<Outgoing, "expectsLimit">;

/** Stores cookies and signs in as the login page does. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** Set before any sign-in, so not session cookies. */
  readonly #beside = new Set<string>();
  readonly #http: HttpClient;
  readonly #target: SignInTarget;

  constructor(http: HttpClient, target: SignInTarget) {
    this.#http = http;
    this.#target = target;
  }

  async send(request: Outgoing): Promise<Answer> {
    const answer = await this.#http.send({ ...request, headers: { ...this.#held(), ...request.headers } });
    for (const set of answer.cookies) {
      const isKnown = this.cookies.has(set.name);
      if (request.path !== this.#target.signIn && !isKnown) this.#beside.add(set.name);
      if (isRemoval(set)) this.cookies.delete(set.name);
      else this.cookies.set(set.name, set.value);
    }
    return answer;
  }

  listen(path: string, headers: Record<string, string>): Promise<EventStream> {
    return this.#http.listen(path, { Accept: "text/event-stream", ...this.#held(), ...headers });
  }

  #held(): { Cookie?: string } {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    return pairs.length > 0 ? { Cookie: pairs.join("; ") } : {};
  }

  /**
   * Follows redirects within the site.
   * @returns all responses, in the order in which they arrived
   */
  async follow(path: string): Promise<Answer[]> {
    const { origin } = this.#target;
    const answers: Answer[] = [];
    let next: URL | null = new URL(path, origin);
    while (next?.origin === origin.origin && answers.length < REDIRECTS_AT_MOST) {
      const answer: Answer = await this.send({ path: next.pathname + next.search, headers: HTML });
      answers.push(answer);
      next = redirectOf(answer, next);
    }
    return answers;
  }

  copy(): Browser {
    const twin = new Browser(this.#http, this.#target);
    for (const [name, value] of this.cookies) twin.cookies.set(name, value);
    for (const name of this.#beside) twin.#beside.add(name);
    return twin;
  }

  async signIn(sid: string, more: Record<string, string> = {}, options: Options = {}): Promise<SignedIn> {
    const { signIn } = this.#target;
    const answer = this.#usesNextAuth
      ? await this.#postForm(signIn, { sid, json: "true", ...more }, options)
      : await this.#post(signIn, { sid, ...more }, options);
    const isSession = ({ name }: Cookie) =>
      this.#usesNextAuth ? /session/i.test(name) : !this.#beside.has(name) && !BESIDE_A_SESSION.test(name);
    const session = answer.cookies.find((cookie) => isSession(cookie) && canBeSession(cookie)) ?? null;
    return { answer, session: answer.status < 400 ? session : null };
  }

  /**
   * According to the site: an id, or `true` if the site returns no id. Null if the browser is signed out, and undefined
   * if the site does not report the user.
   */
  async user(): Promise<unknown> {
    const path = this.#target.session ?? (this.#usesNextAuth ? `${this.#authFolder}/session` : null);
    if (path === null) return undefined;
    const { status, json } = await this.send({ path });
    if (status !== 200 || typeof json !== "object" || json === null) return null;
    const { user, user_id: userId = null } = json as { user?: { id?: unknown }; user_id?: unknown };
    return user ? (user.id ?? true) : userId;
  }

  /**
   * With NextAuth or at the site's own path.
   * @throws {NotApplicableError} if the site uses neither
   */
  async signOut(): Promise<Answer> {
    const { signOut = null } = this.#target;
    if (signOut !== null) return this.#post(signOut, {});
    if (this.#usesNextAuth) return this.#postForm(`${this.#authFolder}/signout`, { json: "true" });
    skip("The kit does not know how this site signs out. Pass the path with --sign-out.");
  }

  get #usesNextAuth(): boolean {
    return this.#target.signIn.includes("/callback/");
  }

  get #authFolder(): string {
    return this.#target.signIn.split("/callback/")[0] ?? "";
  }

  async #postForm(path: string, fields: Record<string, string>, options: Options = {}): Promise<Answer> {
    const { csrfToken = "" } = bodyOf(await this.send({ path: `${this.#authFolder}/csrf` }));
    const form = new URLSearchParams({ csrfToken: String(csrfToken), ...fields });
    return this.#post(path, form.toString(), options, {
      "Content-Type": "application/x-www-form-urlencoded",
    });
  }

  #post(path: string, body: string | object, options: Options = {}, more = {}): Promise<Answer> {
    const headers = { Origin: this.#target.origin.origin, ...more };
    return this.send({ ...options, method: "POST", path, ...withBody(body, headers) });
  }
}
