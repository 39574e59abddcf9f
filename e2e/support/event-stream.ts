type StreamMessage = { event: string; data: unknown; id?: string };

/** Reads server-sent events one at a time. After the stream has ended, `next` returns null. */
export class EventStream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #buffer = "";

  constructor(response: Response) {
    if (!response.body) throw new Error("no stream");
    this.#reader = response.body.getReader();
  }

  async next(): Promise<StreamMessage | null> {
    for (;;) {
      const end = this.#buffer.indexOf("\n\n");
      if (end >= 0) {
        const block = this.#buffer.slice(0, end);
        this.#buffer = this.#buffer.slice(end + 2);
        // A comment only keeps the stream open.
        if (block.startsWith(":")) continue;
        return parseMessage(block);
      }
      const { done, value } = await this.#reader.read();
      if (done) return null;
      this.#buffer += this.#decoder.decode(value, { stream: true });
    }
  }

  /** As a tab does when it is closed. */
  close(): Promise<void> {
    return this.#reader.cancel();
  }
}

function parseMessage(block: string): StreamMessage {
  const fields = new Map(block.split("\n").map((line): [string, string] => splitField(line)));
  const id = fields.get("id");
  return {
    event: fields.get("event") ?? "message",
    data: JSON.parse(fields.get("data") ?? "null"),
    ...(id !== undefined && { id }),
  };
}

function splitField(line: string): [string, string] {
  const [name = "", value = ""] = line.split(/: ?(.*)/s);
  return [name, value];
}
