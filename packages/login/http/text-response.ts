/**
 * The headers of an answer that this application makes. A `Headers` would check and sort each name and value; here Node
 * checks them, when it sends them.
 */
export class PlainHeaders implements Headers {
  /** By lower-case name. */
  readonly #values = new Map<string, string>();
  readonly #cookies: string[] = [];

  constructor(lines: Iterable<[string, string]>) {
    for (const [name, value] of lines) this.append(name, value);
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    if (isCookie(name)) this.#cookies.push(value);
    else this.#values.set(name.toLowerCase(), before === null ? value : `${before}, ${value}`);
  }

  set(name: string, value: string): void {
    this.delete(name);
    this.append(name, value);
  }

  delete(name: string): void {
    if (isCookie(name)) this.#cookies.length = 0;
    else this.#values.delete(name.toLowerCase());
  }

  get(name: string): string | null {
    if (isCookie(name)) return this.#cookies.length > 0 ? this.#cookies.join(", ") : null;
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  getSetCookie(): string[] {
    return [...this.#cookies];
  }

  forEach(act: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this.entries()) act(value, name, this);
  }

  entries(): HeadersIterator<[string, string]> {
    const cookies = this.#cookies.map((value): [string, string] => ["set-cookie", value]);
    return [...this.#values, ...cookies].values();
  }

  keys(): HeadersIterator<string> {
    return [...this].map(([name]) => name).values();
  }

  values(): HeadersIterator<string> {
    return [...this].map(([, value]) => value).values();
  }

  [Symbol.iterator](): HeadersIterator<[string, string]> {
    return this.entries();
  }
}

function isCookie(name: string): boolean {
  return name.length === 10 && name.toLowerCase() === "set-cookie";
}

type TextInit = { status?: number; headers?: Iterable<[string, string]> };

/**
 * A `Response` that keeps its text. The server in front of the framework sends the text as it is (docs/decisions/0016);
 * other readers get it as a stream, as from any `Response`.
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
