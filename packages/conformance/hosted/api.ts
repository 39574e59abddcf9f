import { randomBytes } from "node:crypto";
import { block, skip } from "../check.ts";
import { describeUnexpectedResponse, expectAccepted, expectEqual, expectStatus } from "../expect-status.ts";
import { errorOf, expectErrorBody } from "../flow/errors.ts";
import { type Answered, type Code, Flow, type FlowRun, type ResponseChanges } from "../flow/flow.ts";
import { expectRetryAfter } from "../flow/headers.ts";
import { Wallet } from "../flow/wallet.ts";
import { type Answer, bodyOf, membersOf, type Outgoing, withBody } from "../http-client.ts";

export type HostedTarget = {
  origin: URL;
  /** Such as `/v1` or `/sandbox/v1`. */
  base: string;
  key: string;
  /** Another tenant's key in the same mode. If null, the run omits the checks that need two tenants. */
  otherKey: string | null;
};

export const API_BASE_PATHS: Record<string, string> = { svc_test_: "/sandbox/v1", svc_live_: "/v1" };

export type Domain = { id: string; name: string; secret: string; webhookUrl: string; body: Body };
export type Session = Code & { id: string; qrData: string; expiresAt: unknown; body: Body };
export type Body = Record<string, unknown>;

export type HostedRun = FlowRun<Session> & {
  /** Registered by the run, which deletes these domains when it ends. */
  domains: string[];
  /** Most sessions belong to this domain. The first check that needs it registers it. */
  sharedDomain?: Promise<Domain>;
  /** For an event to arrive, in real seconds rather than by the API's clock. */
  patienceSeconds: number;
};

type CallOptions = Pick<Outgoing, "expectsLimit" | "hostile"> & {
  key?: string;
  headers?: Record<string, string>;
};

export function expectCode(answer: Answer, status: number, code: string, what: string): void {
  expectStatus(answer, status, what);
  expectEqual(errorOf(answer).code, code, `${what}: the code of ${answer.name}`);
}

export const expectInvalid = (answer: Answer, what: string) =>
  expectCode(answer, 400, "invalid_request", what);

/** The kit acts as a customer's server and as the wallets of the customer's users. Each check gets its own object. */
export class Api extends Flow<HostedTarget, HostedRun, Wallet> {
  readonly refusals = { gone: 408, unsigned: 406 };

  /** A string body is sent unchanged. */
  call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const { key = this.target.key, ...more } = options;
    const headers = { Authorization: `Bearer ${key}`, ...options.headers };
    const content = body === undefined ? { headers } : withBody(body, headers);
    return this.http.send({ ...more, method, path: this.target.base + path, ...content });
  }

  /** @throws {NotApplicableError} if the run was started without another tenant's key */
  otherKey(): string {
    if (this.target.otherKey === null) skip("It needs a second tenant. Pass its key with --other-key.");
    return this.target.otherKey;
  }

  /** In test mode, domains below `.example` need no proof. */
  newName(): string {
    return `c${randomBytes(6).toString("hex")}.example`;
  }

  /** Returns the response, even if it is a refusal. The run deletes a registered domain when it ends. */
  async askDomain(domain: string, webhook_url: string): Promise<Answer> {
    const answer = await this.call("POST", "/domains", { domain, webhook_url });
    if (answer.status === 201) this.run.domains.push(String(bodyOf(answer).id));
    return answer;
  }

  async registerDomain(name = this.newName(), webhookUrl = `https://${name}/events`): Promise<Domain> {
    return this.domainIn(await this.askDomain(name, webhookUrl), name, webhookUrl);
  }

  /** @throws {BlockedError} if the response does not contain a domain */
  domainIn(answer: Answer, name: string, webhookUrl: string): Domain {
    const body = bodyOf(answer);
    if (answer.status !== 201 || typeof body.id !== "string") {
      const full = " Delete unused domains, or pass a key of another tenant.";
      const more = errorOf(answer).code === "quota_exceeded" ? full : "";
      block("A correct domain is refused", describeUnexpectedResponse(answer) + more);
    }
    return { id: body.id, name, secret: String(body.webhook_secret), webhookUrl, body };
  }

  /** Shared: a check must not change this domain. */
  domain(): Promise<Domain> {
    return this.shared("sharedDomain", () => this.registerDomain());
  }

  /** For the shared domain. Returns the response, even if it is a refusal. */
  async create(more: Body = {}, options: CallOptions = {}): Promise<Answer> {
    return this.call("POST", "/sessions", { domain: (await this.domain()).name, ...more }, options);
  }

  /** @throws {BlockedError} or {NotApplicableError} if the session cannot be created */
  async session(more: Body = {}, options: CallOptions = {}): Promise<Session> {
    const answer = await this.create(more, options);
    if (errorOf(answer).code === "domain_not_verified")
      skip("Live sessions take a domain that is proved: try a svc_test_ key.");
    return this.recordSession(answer, 201);
  }

  /** @throws {BlockedError} if the response does not contain a session */
  recordSession(answer: Answer, expected: number): Session {
    const body = bodyOf(answer);
    const { id, challenge, qr_data: qrData } = body;
    if (answer.status !== expected || typeof id !== "string" || typeof challenge !== "string")
      block("The API does not return a challenge", describeUnexpectedResponse(answer));
    const session = { id, sid: id, challenge, qrData: String(qrData), expiresAt: body.expires_at, body };
    this.run.codes.push(session);
    return session;
  }

  refresh(id: string, options: CallOptions = {}): Promise<Answer> {
    return this.call("POST", `/sessions/${id}/refresh`, undefined, options);
  }

  read(id: string, options: CallOptions = {}): Promise<Answer> {
    return this.call("GET", `/sessions/${encodeURIComponent(id.toWellFormed())}`, undefined, options);
  }

  async expectSessionStatus(
    id: string,
    status: "pending" | "authenticated",
    what = "The session",
  ): Promise<void> {
    expectEqual(bodyOf(await this.read(id)).status, status, what);
  }

  /** docs/protocol.md#52-sessions. */
  webhookOf({ sid }: Pick<Code, "sid"> = { sid: "any" }): string {
    return `/webhook/sessions/${sid}`;
  }

  issue(): Promise<Session> {
    return this.session();
  }

  async renew({ sid }: Code): Promise<Session> {
    return this.recordSession(await this.refresh(sid), 200);
  }

  newWallet(): Wallet {
    return new Wallet();
  }

  respond(code: Code, wallet = new Wallet(), changes: ResponseChanges = {}): Promise<Answer> {
    return this.post(this.webhookOf(code), wallet.response(code.challenge, changes));
  }

  async holderOf(id: string): Promise<unknown> {
    const { status, user } = bodyOf(await this.read(id));
    return status === "authenticated" ? (membersOf(user).public_key ?? true) : null;
  }

  override ask(method: string, path: string): Promise<Answer> {
    return this.call(method, path);
  }

  ownAnswers(): readonly Answered[] {
    return this.run.answers;
  }

  walletAnswers(): readonly Answered[] {
    return this.run.answers.filter(({ request: { path } }) => path.startsWith("/webhook/"));
  }

  async provoke(): Promise<void> {
    if (this.run.answers.filter(({ answer }) => answer.status >= 400).length > 3) return;
    await this.read((await this.session()).id);
    await this.call("POST", "/sessions", "{");
    await this.read("A".repeat(30));
    await this.post(this.webhookOf({ sid: "A".repeat(30) }), { challenge: "svc:login:x" });
    await this.call("GET", "/domains/dom_unknown");
  }

  expectRefusal(answer: Answer, what: string): void {
    expectErrorBody(answer, what);
  }

  expectLimited(answer: Answer): void {
    expectRetryAfter(answer);
  }

  /** @throws {BlockedError} if creating or answering the session fails */
  async createAuthenticatedSession(more: Body = {}): Promise<Session & { wallet: Wallet }> {
    const session = await this.session(more);
    const wallet = new Wallet();
    expectAccepted(await this.respond(session, wallet));
    return { ...session, wallet };
  }
}
