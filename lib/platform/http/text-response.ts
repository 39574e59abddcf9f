import { PlainHeaders } from "./plain-headers.ts";

type TextInit = { status?: number; headers?: Iterable<[string, string]> };

/**
 * A `Response` that keeps its text. The server in front of the framework sends that as it is (docs/decisions/0016);
 * whoever reads the response gets the stream that a `Response` otherwise makes of every body.
 */
export class TextResponse extends Response {
  readonly content: string;
  override readonly headers: Headers;
  #streamed: Response | undefined;

  constructor(content: string, { status = 200, headers = [] }: TextInit = {}) {
    super(null, { status });
    this.content = content;
    this.headers = new PlainHeaders(headers);
    if (!this.headers.has("content-type")) this.headers.set("Content-Type", "text/plain; charset=utf-8");
  }

  get #whole(): Response {
    this.#streamed ??= new Response(this.content, this);
    return this.#streamed;
  }

  override get body() {
    return this.#whole.body;
  }
  override get bodyUsed() {
    return this.#whole.bodyUsed;
  }
  override arrayBuffer() {
    return this.#whole.arrayBuffer();
  }
  override blob() {
    return this.#whole.blob();
  }
  override bytes() {
    return this.#whole.bytes();
  }
  override clone() {
    return new TextResponse(this.content, this);
  }
  override formData() {
    return this.#whole.formData();
  }
  override json() {
    return this.#whole.json();
  }
  override text() {
    return this.#whole.text();
  }
}
