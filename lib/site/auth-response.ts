import { TextResponse } from "#lib/platform/http/text-response.ts";

/** The part of the framework's `NextApiResponse` that NextAuth writes to, kept until it is a web response. */
export class AuthResponse {
  #status = 200;
  #body: string | null = null;
  #json: unknown;
  /** By lower-case name. */
  readonly #headers = new Map<string, string | string[]>();

  status(code: number): this {
    this.#status = code;
    return this;
  }

  getHeader(name: string): string | string[] | undefined {
    return this.#headers.get(name.toLowerCase());
  }

  setHeader(name: string, value: string | string[]): this {
    this.#headers.set(name.toLowerCase(), value);
    return this;
  }

  json(body: unknown): void {
    this.#json = body;
    this.setHeader("content-type", "application/json");
    this.#body = JSON.stringify(body);
  }

  send(body: unknown): void {
    if (typeof body === "string" || body === undefined || body === null) this.end(body);
    else this.json(body);
  }

  end(body?: string | null): void {
    this.#body = body ?? null;
  }

  /** Where NextAuth sends the browser: by a redirect, or in the body for a page's script. */
  get next(): unknown {
    return this.#headers.get("location") ?? Object(this.#json).url;
  }

  toWebResponse(): Response {
    const headers: [string, string][] = [];
    for (const [name, value] of this.#headers) {
      for (const each of Array.isArray(value) ? value : [value]) headers.push([name, each]);
    }
    if (this.#body === null) return new Response(null, { status: this.#status, headers });
    return new TextResponse(this.#body, { status: this.#status, headers });
  }
}
