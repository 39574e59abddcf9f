/**
 * A `Response` that keeps its text. The server in front of the framework sends that as it is (docs/decisions/0016);
 * whoever reads the response gets the stream that a `Response` otherwise makes of every body.
 */
export class TextResponse extends Response {
  readonly content: string;
  #streamed: Response | undefined;

  constructor(content: string, init: ResponseInit = {}) {
    super(null, init);
    this.content = content;
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
