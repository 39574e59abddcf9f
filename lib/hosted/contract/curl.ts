/** The environment variable that our examples take the API key from. */
export const KEY_VARIABLE = "SVC_KEY";

/**
 * A request of the hosted API as a shell command. The key is read from a variable, so that it stays out of the
 * shell's history.
 */
export function curlOf({
  url,
  method,
  body,
  headers = {},
}: {
  url: string;
  method: string;
  body?: object | undefined;
  headers?: Record<string, string>;
}): string {
  const parts = [
    `curl ${method === "GET" || (method === "POST" && body) ? "" : `-X ${method} `}${quote(url)}`,
    `-H "Authorization: Bearer $${KEY_VARIABLE}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body ? [`--json ${quote(JSON.stringify(body))}`] : []),
  ];
  return parts.join(" \\\n  ");
}

function quote(text: string): string {
  return /^[\w:/.,@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
