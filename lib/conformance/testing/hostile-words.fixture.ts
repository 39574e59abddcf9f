import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { listen } from "./listen.fixture.ts";
import { HOSTILE_TEXT } from "./terminal.fixture.ts";

/** What stays as it is, so that a run comes further than its first code. */
const KEPT = ["sid", "challenge", "qr", "qr_data", "id", "csrfToken"];

/** Where hostile text stands: behind texts that carry nothing on, behind every text, or alone. */
export type Where = "some-texts" | "every-text" | "bodies";

/** A header holds Latin-1 alone: of the hostile characters, those of C1. */
const HOSTILE_HEADER = "\u009b2J\u0085";

/** In front of a site that is correct: what it says is not. */
export async function startHostileWords(behind: URL, where: Where) {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forwarded = request(new URL(url ?? "/", behind), { method, headers }, (answer) => {
      answerWith(answer).catch(() => outgoing.destroy());
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);

    async function answerWith(answer: IncomingMessage): Promise<void> {
      const text = (await bytesOf(answer)).toString("utf8");
      outgoing.writeHead(answer.statusCode ?? 500, spoilt(answer.headers));
      outgoing.end(method === "HEAD" ? "" : garnished(text, where));
    }
  });
  return listen(server);
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}

function spoilt({ "content-length": _length, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  const names = ["content-type", "allow", "ratelimit-limit", "retry-after", "location", "x-request-id"];
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    names.includes(name) ? `${value}${HOSTILE_HEADER}` : value,
  ]);
  return { ...Object.fromEntries(entries), "x-hostile": HOSTILE_HEADER };
}

function garnished(text: string, where: Where): string {
  if (where === "bodies") return HOSTILE_TEXT;
  const garnish = (name: string, value: unknown) =>
    typeof value === "string" && !(where === "some-texts" && KEPT.includes(name))
      ? value + HOSTILE_TEXT
      : value;
  try {
    return JSON.stringify(JSON.parse(text, garnish));
  } catch {
    return text + HOSTILE_TEXT;
  }
}
