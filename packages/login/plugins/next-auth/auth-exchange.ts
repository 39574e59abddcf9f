import type { NextApiRequest, NextApiResponse } from "next";
import imported, { type NextAuthOptions } from "next-auth";
import { readBytes, readForm, readJson } from "../../http/read-body.ts";
import { refusal } from "../../protocol/errors.ts";
import { loginCookieName } from "../../server/cookies.ts";
import { parsedHeader } from "../../server/web-request.ts";

/** NextAuth's handler. Importing its CommonJS module gives `exports` in Node, and `exports.default` in a bundle. */
const nextAuth = "default" in imported ? (imported.default as typeof imported) : imported;

/**
 * Calls NextAuth in the same way as an API route, because that does not require the framework.
 * @param path the segments below `/api/auth/`
 * @param cookies the browser's cookies that NextAuth gets
 * @returns the response, and the URL to which NextAuth sends the browser, either in a redirect or in the body for a
 * page's script
 * @throws {Refusal} 400, 413 or 415 for a body that is neither a form nor a JSON object of plain values
 */
export async function runNextAuth(
  options: NextAuthOptions,
  origin: URL,
  request: Request,
  path: string[],
  cookies: Record<string, string>,
): Promise<{ answer: Response; next: unknown }> {
  const response = new AuthResponse();
  const read = await readAuthRequest(origin, request, path, cookies);
  // The parts of the framework's two types that NextAuth uses.
  await nextAuth(read as unknown as NextApiRequest, response as unknown as NextApiResponse, options);
  return { answer: response.toWebResponse(), next: response.next };
}

/** NextAuth's name for the error, such as `AccessDenied`. */
const ERROR_NAME = /^[A-Za-z]{0,64}$/;
/** The longest URL that fits into headers that every proxy accepts. */
const MAX_URL_LENGTH = 2048;

/**
 * Returns the part of the framework's `NextApiRequest` that NextAuth reads, without input that makes NextAuth return
 * 500. The body is converted to text fields, and an invalid callback URL or error name is removed from the query and
 * the cookie.
 */
async function readAuthRequest(
  site: URL,
  request: Request,
  path: string[],
  requestCookies: Record<string, string>,
) {
  const { method } = request;
  const { origin } = site;
  const at = request.url.indexOf("?");
  const query = at < 0 ? {} : Object.fromEntries(new URLSearchParams(request.url.slice(at)));
  if (query.callbackUrl && !isHttpUrl(query.callbackUrl, origin)) delete query.callbackUrl;
  // NextAuth copies the error into a header unchecked.
  if (!ERROR_NAME.test(query.error ?? "")) delete query.error;
  const cookies = decodeCookies(requestCookies);
  const name = loginCookieName("next-auth.callback-url", site);
  const cookie = cookies[name];
  if (cookie && cookie !== origin && !isHttpUrl(cookie, origin)) delete cookies[name];
  const body = method === "POST" ? await readFields(request, path) : undefined;
  return {
    method,
    query: { ...query, nextauth: path },
    get headers() {
      return Object.fromEntries(request.headers.entries());
    },
    cookies,
    body,
    // NextAuth reads from here the URL to which the browser goes afterwards.
    callbackUrl: body?.callbackUrl ?? query.callbackUrl,
  };
}

/** Returns the decoded cookies, without those whose encoding is invalid. */
function decodeCookies(requestCookies: Record<string, string>): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(requestCookies)) {
    try {
      cookies[name] = decodeURIComponent(value);
    } catch {
      // NextAuth did not set this cookie.
    }
  }
  return cookies;
}

function isHttpUrl(text: string, origin: string): boolean {
  const url =
    text.length <= MAX_URL_LENGTH ? URL.parse(text, text.startsWith("/") ? origin : undefined) : null;
  return url !== null && /^https?:$/.test(url.protocol);
}

async function readFields(request: Request, path: string[]): Promise<Record<string, string>> {
  const type = parsedHeader(request.headers, "content-type").split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return textFields(await readJson(request), path);
  const text = Buffer.from(await readBytes(request)).toString("utf8");
  if (type !== "application/x-www-form-urlencoded" && text !== "") {
    throw refusal("unsupported_media_type", "Send the body as a form or as application/json.");
  }
  return Object.fromEntries(readForm(text));
}

function textFields(body: unknown, [action]: string[]): Record<string, string> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw refusal("invalid_request", "The body is not a JSON object.");
  }
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      // The data that a page sends with `update(data)` to change its session. It is ignored, because a page may not
      // change a login's session.
      if (action === "session" && name === "data") return [];
      if (typeof value === "object") throw refusal("invalid_request", "A field is not a plain value.");
      return [[name, String(value)]];
    }),
  );
}

/** The part of the framework's `NextApiResponse` that NextAuth writes to. It is then converted to a web response. */
class AuthResponse {
  #status = 200;
  #body: string | null = null;
  #json: unknown;
  readonly #headers = new Headers();

  status(code: number): this {
    this.#status = code;
    return this;
  }

  /** NextAuth only reads back its cookies. */
  getHeader(): string[] {
    return this.#headers.getSetCookie();
  }

  setHeader(name: string, value: string | string[]): this {
    this.#headers.delete(name);
    for (const header of [value].flat()) this.#headers.append(name, header);
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

  get next(): unknown {
    return this.#headers.get("location") ?? Object(this.#json).url;
  }

  toWebResponse(): Response {
    if (this.#body !== null && !this.#headers.has("content-type")) {
      this.setHeader("content-type", "text/plain; charset=utf-8");
    }
    return new Response(this.#body, { status: this.#status, headers: this.#headers });
  }
}
