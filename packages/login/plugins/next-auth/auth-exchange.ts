import type { NextApiRequest, NextApiResponse } from "next";
import imported, { type NextAuthOptions } from "next-auth";
import { parseFormFields, readBodyBytes, readJsonBody } from "../../http/read-body.ts";
import { refusal } from "../../protocol/errors.ts";
import { loginCookieName } from "../../server/cookies.ts";
import { readTruncatedHeader } from "../../server/web-request.ts";

/** NextAuth's CommonJS module is imported as `exports` in Node, but as `exports.default` in a bundle. */
const nextAuth = "default" in imported ? (imported.default as typeof imported) : imported;

/**
 * Calls NextAuth in the same way as a pages API route would, because this does not require the Next.js framework.
 * @param path the segments below `/api/auth/`
 * @param cookies the cookies that NextAuth receives
 * @returns the response, and the URL to which NextAuth sends the browser, with a redirect or in a JSON body
 * @throws {Refusal} 400, 413 or 415 if the body is neither a form nor a JSON object of plain values
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
  // These objects have only those members of the framework's types that NextAuth uses.
  await nextAuth(read as unknown as NextApiRequest, response as unknown as NextApiResponse, options);
  return { answer: response.toWebResponse(), next: response.next };
}

/** Such as `AccessDenied`. */
const ERROR_NAME = /^[A-Za-z]{0,64}$/;
/** Fits into headers that every proxy accepts. */
const MAX_URL_LENGTH = 2048;

/**
 * Returns the members of the framework's `NextApiRequest` that NextAuth reads, without input that makes NextAuth return
 * 500. Converts the body to text fields, and removes invalid callback URLs and error names from the query and the
 * cookie.
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
  // NextAuth copies the error into a header without checking it.
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
    // The URL that NextAuth makes the browser open afterwards.
    callbackUrl: body?.callbackUrl ?? query.callbackUrl,
  };
}

function decodeCookies(requestCookies: Record<string, string>): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(requestCookies)) {
    try {
      cookies[name] = decodeURIComponent(value);
    } catch {
      // NextAuth cannot have set a cookie with an invalid encoding.
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
  const type = readTruncatedHeader(request.headers, "content-type").split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return textFields(await readJsonBody(request), path);
  const text = Buffer.from(await readBodyBytes(request)).toString("utf8");
  if (type !== "application/x-www-form-urlencoded" && text !== "") {
    throw refusal("unsupported_media_type", "Send the body as a form or as application/json.");
  }
  return Object.fromEntries(parseFormFields(text));
}

function textFields(body: unknown, [action]: string[]): Record<string, string> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw refusal("invalid_request", "The body is not a JSON object.");
  }
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      // `update(data)` sends this field to change the session. The field is ignored, because a page must not change a
      // login's session.
      if (action === "session" && name === "data") return [];
      if (typeof value === "object") throw refusal("invalid_request", "A field is not a plain value.");
      return [[name, String(value)]];
    }),
  );
}

/** Has only the members of the framework's `NextApiResponse` that NextAuth uses. */
class AuthResponse {
  #status = 200;
  #body: string | null = null;
  #json: unknown;
  readonly #headers = new Headers();

  status(code: number): this {
    this.#status = code;
    return this;
  }

  /** NextAuth reads back only the cookies that it has set. */
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
