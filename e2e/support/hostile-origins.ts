/**
 * For each way in which another site can make a browser act: a name, and the headers that the browser sends.
 * @param own the application's own origin
 */
export function hostileOrigins(own: string): [name: string, headers: Record<string, string>][] {
  const { protocol, hostname, host } = new URL(own);
  return [
    ["another site", { Origin: "https://evil.example" }],
    ["a sandboxed frame", { Origin: "null" }],
    ["another port of this host", { Origin: `${protocol}//${hostname}:1` }],
    ["the other scheme", { Origin: `${protocol === "http:" ? "https:" : "http:"}//${host}` }],
    ["a name below this one", { Origin: `${protocol}//x.${host}` }],
    ["a name that begins as this one", { Origin: `${own}.evil.example` }],
    ["this origin and a path", { Origin: `${own}/` }],
    ["another site, its origin withheld", { "Sec-Fetch-Site": "cross-site" }],
    ["a neighbour, its origin withheld", { "Sec-Fetch-Site": "same-site" }],
    ["a form of another site", { Origin: "https://evil.example", "Content-Type": "text/plain" }],
  ];
}
