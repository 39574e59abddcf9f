import { RawSocket } from "#tools/kit/raw-socket.ts";

export type RawAnswer = {
  text: string;
  /** Of the first response; null if there was none. */
  status: number | null;
  /** Of the first response, by lower-case name. */
  headers: Map<string, string>;
  body: string;
};

/** Sends the bytes unchanged, and reads until the server closes the connection. */
export async function exchangeRaw(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = new RawSocket(url);
  await socket.write(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
  await socket.closed;
  return parse(socket.text);
}

/** The server should close the connection after this request. */
export function formatRawRequest(line: string, headers: Record<string, string> = {}, body = ""): string {
  const lines = Object.entries({ Host: "localhost", Connection: "close", ...headers });
  return [line, ...lines.map(([name, value]) => `${name}: ${value}`), "", body].join("\r\n");
}

function parse(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  const headers = new Map(
    lines.map((line): [string, string] => {
      const [name = "", value = ""] = line.split(/: (.*)/s);
      return [name.toLowerCase(), value];
    }),
  );
  return { text, status: status ? Number(status) : null, headers, body: rest.join("\r\n\r\n") };
}
