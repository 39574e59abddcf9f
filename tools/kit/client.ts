import { randomInt } from "node:crypto";
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";

export type Answer = { status: number; headers: IncomingMessage["headers"]; body: string };

export type SendOptions = { json?: unknown; form?: Record<string, string>; headers?: Record<string, string> };

const FORM = "application/x-www-form-urlencoded";
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * An HTTP client that acts as a browser or a wallet and stores cookies. Each client has its own IP address, because the
 * application under test trusts one proxy. Limits therefore count each client separately. The client does not follow
 * redirects.
 */
export class Client {
  readonly address: string;
  readonly cookies = new Map<string, string>();
  readonly url: string;

  constructor(url: string, address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`) {
    this.url = url;
    this.address = address;
  }

  /** Returns another browser with the same cookies. The browser can use any of the application's processes. */
  copy(url = this.url, address?: string): Client {
    const copy = new Client(url, address);
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }

  /**
   * Returns whether the client has a cookie. The full name begins with the site's port over plain HTTP, and with
   * `__Host-` over HTTPS.
   */
  hasCookie(name: string): boolean {
    return [...this.cookies.keys()].some((cookie) => cookie.endsWith(name));
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(this.#ownHeaders())) headers.set(name, value);
    const response = await fetch(new URL(path, this.url), { redirect: "manual", ...init, headers });
    this.#keepCookies(response.headers.getSetCookie());
    return response;
  }

  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response> {
    return this.#sendJson("POST", path, body, headers);
  }

  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Response> {
    return this.#sendJson("PATCH", path, body, headers);
  }

  delete(path: string): Promise<Response> {
    return this.fetch(path, { method: "DELETE" });
  }

  postForm(path: string, fields: Record<string, string>): Promise<Response> {
    return this.fetch(path, {
      method: "POST",
      headers: { "Content-Type": FORM },
      body: new URLSearchParams(fields).toString(),
    });
  }

  async signIn(provider: string, sid: string, more: Record<string, string> = {}): Promise<Response> {
    const csrfToken = await this.csrfToken();
    return this.postForm(`/api/auth/callback/${provider}`, { csrfToken, sid, json: "true", ...more });
  }

  async signOut(): Promise<Response> {
    return this.postForm("/api/auth/signout", { csrfToken: await this.csrfToken(), json: "true" });
  }

  async csrfToken(): Promise<string> {
    return (await (await this.fetch("/api/auth/csrf")).json()).csrfToken;
  }

  /**
   * Sends a POST if there is a body, and otherwise a GET. This needs less CPU time than `fetch`: the clients of a
   * benchmark share the server's processors.
   */
  async send(path: string, { json, form, headers = {} }: SendOptions = {}): Promise<Answer> {
    const requestBody =
      json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
    const response = await this.#request(path, requestBody, {
      ...headers,
      ...(requestBody !== undefined && {
        "Content-Type": json === undefined ? FORM : "application/json",
        "Content-Length": Buffer.byteLength(requestBody),
      }),
    });
    this.#keepCookies(response.headers["set-cookie"] ?? []);
    const body = await new Promise<string>((resolve, reject) => {
      let text = "";
      response.setEncoding("utf8").on("error", reject);
      response.on("data", (part: string) => (text += part)).on("end", () => resolve(text));
    });
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  }

  /** @throws {Error} unless the response has this status */
  async expect(status: number, path: string, ask?: SendOptions): Promise<Answer> {
    const answer = await this.send(path, ask);
    if (answer.status === status) return answer;
    throw new Error(`${path}: ${answer.status}, expected ${status}\n${answer.body.slice(0, 500)}`);
  }

  #sendJson(method: string, path: string, body: unknown, more?: Record<string, string>): Promise<Response> {
    const headers = { "Content-Type": "application/json", ...more };
    return this.fetch(path, { method, headers, body: JSON.stringify(body) });
  }

  #request(path: string, body: string | undefined, headers: OutgoingHttpHeaders): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const method = body === undefined ? "GET" : "POST";
      const all = { ...headers, ...this.#ownHeaders() };
      request(new URL(path, this.url), { agent, method, headers: all })
        .on("response", resolve)
        .on("error", reject)
        .end(body);
    });
  }

  #ownHeaders(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { "X-Forwarded-For": this.address, ...(cookie && { Cookie: cookie }) };
  }

  #keepCookies(lines: readonly string[]): void {
    for (const line of lines) {
      const [name = "", value = ""] = line.split(";", 1)[0]?.split(/=(.*)/s) ?? [];
      if (value === "" || /max-age=0\b/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** @throws {Error} with the text of a response that has another status */
export async function expectStatus(response: Response, status = 200): Promise<Response> {
  if (response.status === status) return response;
  const { pathname } = new URL(response.url);
  throw new Error(`${pathname}: ${response.status}, expected ${status}\n${await response.text()}`);
}
