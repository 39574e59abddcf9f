import { Agent, request } from "node:http";

/** An answer. */
export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

/** How a request differs from a GET without a body. */
export type Ask = { json?: unknown; form?: Record<string, string>; headers?: Record<string, string> };

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let clients = 0;

/**
 * One browser or wallet: keeps cookies, and has an address of its own (the applications trust one proxy), so that
 * the limits count it as one of many. As thin as it can be, since it shares the processors with what it measures.
 */
export class HttpSession {
  readonly #origin: string;
  readonly #address: string;
  readonly cookies = new Map<string, string>();

  constructor(origin: string) {
    this.#origin = origin;
    const number = clients++ % 2 ** 24;
    this.#address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  }

  /** What tells the server who this is: the address and the cookies. */
  get headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { "X-Forwarded-For": this.#address, ...(cookie && { Cookie: cookie }) };
  }

  /** Sends a request; POST when it has a body. Redirects are returned, not followed. */
  send(path: string, { json, form, headers = {} }: Ask = {}): Promise<Answer> {
    const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
    const type = json === undefined ? "application/x-www-form-urlencoded" : "application/json";
    const url = new URL(path, this.#origin);
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        {
          agent,
          method: body === undefined ? "GET" : "POST",
          headers: {
            ...this.headers,
            ...(body !== undefined && { "Content-Type": type, "Content-Length": Buffer.byteLength(body) }),
            ...headers,
          },
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => {
            text += chunk;
          });
          response.on("error", reject);
          response.on("end", () => {
            this.#keep(response.headers["set-cookie"] ?? []);
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
          });
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  /** Sends a request that has to come to `status`, and returns its answer. */
  async expect(status: number, path: string, ask?: Ask): Promise<Answer> {
    const answer = await this.send(path, ask);
    if (answer.status !== status) {
      throw new Error(`${path}: ${answer.status}, expected ${status}\n${answer.body.slice(0, 500)}`);
    }
    return answer;
  }

  #keep(lines: readonly string[]): void {
    for (const line of lines) {
      const pair = line.split(";", 1)[0] ?? "";
      const at = pair.indexOf("=");
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }
}
