import { randomInt } from "node:crypto";

/**
 * A client of the HTTP API, as a browser or a wallet is one: keeps cookies and has an address of its own
 * (the application under test trusts one proxy).
 */
export class Client {
  readonly address: string;
  readonly cookies = new Map<string, string>();
  readonly url: string;

  constructor(url: string, address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`) {
    this.url = url;
    this.address = address;
  }

  /** A browser with the same cookies, at any of the application's processes. */
  copy(url = this.url): Client {
    const copy = new Client(url);
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }

  /** Sends a request; redirects are returned, not followed. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("X-Forwarded-For", this.address);
    if (this.cookies.size > 0) {
      headers.set("Cookie", [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    const response = await fetch(new URL(path, this.url), { redirect: "manual", ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";", 1)[0]?.split(/=(.*)/s) ?? [];
      if (value === "" || /max-age=0\b/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** Posts a JSON body. */
  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }

  /** NextAuth's sign-in with a provider of ours, as its browser client does it. */
  async signIn(provider: string, sid: string, more: Record<string, string> = {}): Promise<Response> {
    const { csrfToken } = await (await this.fetch("/api/auth/csrf")).json();
    return this.fetch(`/api/auth/callback/${provider}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ csrfToken, sid, json: "true", ...more }).toString(),
    });
  }
}
