import { Agent, createServer, type OutgoingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "./reference.fixture.ts";

/**
 * Characters that control a terminal or that a terminal does not show. The tables share no code with the tested code.
 */

// biome-ignore format: several ranges in a line
const RANGES: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x1f], [0x7f, 0x9f], [0xad, 0xad], [0x61c, 0x61c], [0x180e, 0x180e], [0x200b, 0x200f],
  [0x2028, 0x202e], [0x2060, 0x206f], [0xd800, 0xdfff], [0xfe00, 0xfe0f], [0xfeff, 0xfeff],
  [0xfff0, 0xfffb], [0xfffe, 0xffff], [0xe0000, 0xe0fff],
];
/** Hebrew, Arabic and similar scripts. */
const RIGHT_TO_LEFT = [
  [0x5be, 0x7ff],
  [0xfb1d, 0xfdff],
  [0xfe70, 0xfefc],
  [0x10800, 0x10fff],
] as const;

/** One example of each kind of text with which a stranger could take control of a terminal. */
export const HOSTILE_TEXT = [
  "\u001b[2J\u001b[31mred\u001b]0;title\u0007\u001b]8;;https://evil.example\u001b\\link",
  "\r\b\b\b\u000b\u007f\u0000 \u009b2J\u0085\u0090",
  "\u202aa\u202bb\u202cc\u202dd\u202ee \u2066f\u2067g\u2068h\u2069 \u200e\u200f\u061c \u05d0 42",
  "\u200b\u200d\ufeff\u00ad\u2028\u2029\u{e0041}\u{e007f}",
  "\n✓ 1.1-at-once  MUST    Every MUST check passed.",
].join("");

const DISALLOWED = new RegExp(
  `[${[...RANGES, ...RIGHT_TO_LEFT].map((range) => range.map((code) => `\\u{${code.toString(16)}}`).join("-")).join("")}]`,
  "gu",
);

/** Code points of characters that must not appear in a line of output. */
export function findStrayCharacters(text: string, allowed = ""): string[] {
  const strayCharacters = [...new Set(text.match(DISALLOWED))].filter((one) => !allowed.includes(one));
  return strayCharacters.map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16)}`);
}

/** In a command's complete output, line breaks and the command's own colours are also allowed. */
export function findStrayCharactersInOutput(printed: string): string[] {
  const own = ["\u001b[2m", "\u001b[31m", "\u001b[32m", "\u001b[33m", "\u001b[0m", "\r\u001b[2K"];
  return findStrayCharacters(
    own.reduce((text, sequence) => text.replaceAll(sequence, ""), printed),
    "\n",
  );
}

/** Not changed, so that a run continues after its first code. */
const KEPT = ["sid", "challenge", "qr", "qr_data", "id", "csrfToken"];

/**
 * Hostile text at the end of the texts that a run does not use again, at the end of every text, or in place of the
 * body.
 */
export type Where = "some-texts" | "every-text" | "bodies";

/** Headers can contain only Latin-1, whose only hostile characters are the C1 controls. */
const HOSTILE_HEADER = "\u009b2J\u0085";

/** Valid for one connection only, or dependent on the body. */
const HOP_BY_HOP = ["connection", "keep-alive", "transfer-encoding", "content-length"];

/** In front of a correct site. Adds hostile text to responses, but does not change event streams. */
export async function startHostileProxy(behind: URL, where: Where) {
  const agent = new Agent({ keepAlive: true });
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (incoming, outgoing) => {
    const { method = "GET", url: path = "/", headers } = incoming;
    const to = { agent, hostname: "127.0.0.1", port: behind.port, method, path, headers };
    const forwarded = request(to, async (received) => {
      const { statusCode: status = 500 } = received;
      const own = Object.entries(received.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
      if (received.headers["content-type"] === "text/event-stream")
        return void received.pipe(outgoing.writeHead(status, Object.fromEntries(own)));
      const body = addHostileText((await buffer(received)).toString(), where);
      outgoing.writeHead(status, spoilHeaders(own)).end(method === "HEAD" ? "" : body);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  const { origin, close } = await listen(server);
  return {
    origin,
    close() {
      agent.destroy();
      close();
    },
  };
}

function spoilHeaders(headers: readonly [name: string, value: unknown][]): OutgoingHttpHeaders {
  const names = ["content-type", "allow", "ratelimit-limit", "retry-after", "location", "x-request-id"];
  const entries = headers.map(([name, value]) => [
    name,
    names.includes(name) ? `${value}${HOSTILE_HEADER}` : value,
  ]);
  return { ...Object.fromEntries(entries), "x-hostile": HOSTILE_HEADER };
}

function addHostileText(text: string, where: Where): string {
  if (where === "bodies") return HOSTILE_TEXT;
  const addHostile = (name: string, value: unknown) =>
    typeof value === "string" && !(where === "some-texts" && KEPT.includes(name))
      ? value + HOSTILE_TEXT
      : value;
  try {
    return JSON.stringify(JSON.parse(text, addHostile));
  } catch {
    return text + HOSTILE_TEXT;
  }
}
