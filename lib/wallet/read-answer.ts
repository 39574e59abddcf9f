const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_MESSAGE_CHARACTERS = 300;

/** What a service said in the body of its answer. */
export type ServiceWords = {
  /** `error.code` of the JSON body (docs/protocol.md#21-errors), or "". */
  code: string;
  /** `error.message`, or a plain-text body, fit to be shown; "" when there is none. */
  message: string;
};

/**
 * Reads a service's words from its answer. The service is a stranger: at most 16 KB are read, and what
 * is shown is one line without control and bidi characters, 300 characters at most. HTML is not shown.
 */
export async function readAnswer(response: Response): Promise<ServiceWords> {
  const type = response.headers.get("content-type") ?? "";
  const text = await readStart(response);
  if (/^text\/plain\b/i.test(type)) return { code: "", message: displayable(text) };
  if (!/^application\/(?:[a-z.-]+\+)?json\b/i.test(type)) return { code: "", message: "" };
  const error = field(parse(text), "error");
  const [code, message] = [field(error, "code"), typeof error === "string" ? error : field(error, "message")];
  return {
    code: typeof code === "string" && /^[a-z_]{1,64}$/.test(code) ? code : "",
    message: typeof message === "string" ? displayable(message) : "",
  };
}

/** One line that cannot disguise itself: no control, format (bidi) or unassigned characters. */
function displayable(text: string): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  const characters = Array.from(line);
  if (characters.length <= MAX_MESSAGE_CHARACTERS) return line;
  return `${characters.slice(0, MAX_MESSAGE_CHARACTERS - 1).join("")}…`;
}

async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; bytes < MAX_ANSWER_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
