/**
 * The headers of an answer that this application makes. A `Headers` checks and sorts each name and value; here Node
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
