export const API_KEY_VARIABLE = "SVC_API_KEY";

/** The first is the default. */
export const SNIPPET_LANGUAGES = ["curl", "node", "python"] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];
export const SNIPPET_LANGUAGE_NAMES: Record<SnippetLanguage, string> = {
  curl: "curl",
  node: "Node",
  python: "Python",
};

export function isSnippetLanguage(value: unknown): value is SnippetLanguage {
  return SNIPPET_LANGUAGES.some((language) => language === value);
}

/** Without the API key, which the example adds. */
export type ApiRequest = {
  url: string;
  method: string;
  /** Sent as JSON. */
  body?: object | undefined;
  headers?: Record<string, string>;
  /** True if the response has no body. */
  hasNoAnswerBody?: boolean;
};

/**
 * A complete program that prints the response: a shell command, or a file for Node.js 20 or Python 3.8 that needs no
 * packages. The program reads the API key from an environment variable, so the key is neither in the shell's history
 * nor in a file.
 */
export function formatSnippet(language: SnippetLanguage, request: ApiRequest): string {
  return WRITERS[language](request);
}

const WRITERS: Record<SnippetLanguage, (request: ApiRequest) => string> = { curl, node, python };

function curl({ url, method, body, headers = {} }: ApiRequest): string {
  const parts = [
    `curl ${method === "GET" || (method === "POST" && body) ? "" : `-X ${method} `}${shellWord(url)}`,
    `-H "Authorization: Bearer $${API_KEY_VARIABLE}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body ? [`--json ${shellWord(JSON.stringify(body, null, 2).replaceAll("\n", "\n  "))}`] : []),
  ];
  return parts.join(" \\\n  ");
}

function shellWord(text: string): string {
  return /^[\w:/.,@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function node({ url, method, body, headers = {}, hasNoAnswerBody }: ApiRequest): string {
  const requestHeaders = headersOf(headers, body, `\`Bearer \${process.env.${API_KEY_VARIABLE}}\``);
  return `const response = await fetch(${JSON.stringify(url)}, {
${method === "GET" ? "" : `  method: ${JSON.stringify(method)},\n`}  headers: {
${requestHeaders.map(([name, value]) => `    ${propertyName(name)}: ${value},\n`).join("")}  },
${body ? `  body: JSON.stringify(${javaScript(body, "  ")}),\n` : ""}});
console.log(response.status${hasNoAnswerBody ? "" : ", await response.json()"});`;
}

function python({ url, method, body, headers = {}, hasNoAnswerBody }: ApiRequest): string {
  const requestHeaders = headersOf(headers, body, `"Bearer " + os.environ["${API_KEY_VARIABLE}"]`);
  const reads = !hasNoAnswerBody;
  return `import ${body || reads ? "json, " : ""}os
from urllib.request import Request, urlopen

request = Request(
    ${JSON.stringify(url)},
${method === "GET" ? "" : `    method=${JSON.stringify(method)},\n`}    headers={
${requestHeaders.map(([name, value]) => `        ${JSON.stringify(name)}: ${value},\n`).join("")}    },
${body ? `    data=json.dumps(${pythonValue(body, "    ")}).encode(),\n` : ""})
with urlopen(request) as response:
    print(response.status${reads ? ", json.load(response)" : ""})`;
}

/** Each value is an expression in the program's language. */
function headersOf(headers: Record<string, string>, body: object | undefined, key: string) {
  return [
    ["Authorization", key],
    ...(body ? [["Content-Type", '"application/json"']] : []),
    ...Object.entries(headers).map(([name, value]) => [name, JSON.stringify(value)]),
  ] as [string, string][];
}

function propertyName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

/** Omits unnecessary quotes around names. */
function javaScript(value: unknown, indent: string): string {
  return nested(value, indent, "  ", {
    entry: (name, text) => `${propertyName(name)}: ${text}`,
    scalar: JSON.stringify,
  });
}

/** JSON strings are also valid Python strings. */
function pythonValue(value: unknown, indent: string): string {
  const constants = new Map<unknown, string>([
    [true, "True"],
    [false, "False"],
    [null, "None"],
  ]);
  return nested(value, indent, "    ", {
    entry: (name, text) => `${JSON.stringify(name)}: ${text}`,
    scalar: (scalar) => constants.get(scalar) ?? JSON.stringify(scalar),
  });
}

type Notation = { entry(name: string, text: string): string; scalar(value: unknown): string };

function nested(value: unknown, indent: string, step: string, notation: Notation): string {
  if (typeof value !== "object" || value === null) return notation.scalar(value);
  const inner = indent + step;
  const lines = Array.isArray(value)
    ? value.map((item) => nested(item, inner, step, notation))
    : Object.entries(value).map(([name, item]) => notation.entry(name, nested(item, inner, step, notation)));
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (lines.length === 0) return `${open}${close}`;
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join("")}${indent}${close}`;
}
