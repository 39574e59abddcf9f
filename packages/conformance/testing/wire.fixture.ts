import type { OutgoingHttpHeaders } from "node:http";
import type { Planted } from "./reference.fixture.ts";

/** An answer on its way. */
export type Passing = {
  path: string;
  method: string;
  status: number;
  /** By lower-case name. */
  headers: OutgoingHttpHeaders;
  body: string;
};

/** What a fault makes of a response: the same object if it has no effect. */
type Fault = (answer: Passing) => Passing;

const ORIGIN = "access-control-allow-origin";
const CREDENTIALS = "access-control-allow-credentials";
const ONE_ID = "5b0c2e1e-6f0a-4f3c-9d55-0f6f5a6f7b1d";
const STACK = "Error: expired\n    at ReferenceLogin.accept (/srv/site/login.ts:12:7)";

const isError = ({ status }: Passing) => status >= 400;
/** True for responses with a login's status, which the fewest checks request. */
const isStatus = ({ path }: Passing) => /^\/(api\/(svc\/check|checkfast)|sandbox\/v1\/sessions\/)/.test(path);
const isWebhook = ({ path }: Passing) => /^\/(webhook\/|api\/fastauth)/.test(path);
const isJson = ({ headers }: Passing) => headers["content-type"] === "application/json";

function withHeaders(answer: Passing, headers: Passing["headers"]): Passing {
  const isSame = Object.entries(headers).every(([name, value]) => answer.headers[name] === value);
  return isSame ? answer : { ...answer, headers: { ...answer.headers, ...headers } };
}

function without(answer: Passing, ...names: string[]): Passing {
  if (!names.some((name) => name in answer.headers)) return answer;
  const kept = Object.entries(answer.headers).filter(([name]) => !names.includes(name));
  return { ...answer, headers: Object.fromEntries(kept) };
}

/** Changes what a refusal in JSON says. */
function refusal(answer: Passing, change: (error: Record<string, unknown>) => unknown): Passing {
  if (!isError(answer) || !isJson(answer) || answer.method === "HEAD") return answer;
  const { error } = JSON.parse(answer.body || "{}");
  return error ? { ...answer, body: JSON.stringify(change(error)) } : answer;
}

/** Faults that are visible on the wire, in the order in which they are planted. The implementation behind is correct. */
const WIRE_FAULTS: Record<string, Fault> = {
  "details-null": (answer) => refusal(answer, (error) => ({ error: { ...error, details: null } })),
  "wrong-codes": (answer) =>
    answer.status === 408 ? refusal(answer, (error) => ({ error: { ...error, code: "expired" } })) : answer,
  "tells-stack": (answer) =>
    isJson(answer)
      ? refusal(answer, (error) => ({ error: { ...error, message: STACK } }))
      : isError(answer) && answer.body.startsWith("Error: ")
        ? { ...answer, body: STACK }
        : answer,
  "flat-errors": (answer) => refusal(answer, ({ message }) => ({ error: message })),
  "json-errors": (answer) =>
    isError(answer) && answer.body.startsWith("Error: ")
      ? withHeaders(
          { ...answer, body: JSON.stringify({ error: answer.body }) },
          { "content-type": "application/json" },
        )
      : answer,
  "html-errors": (answer) =>
    isError(answer) && isJson(answer)
      ? withHeaders({ ...answer, body: "<h1>Error</h1>" }, { "content-type": "text/html" })
      : answer,
  "html-answers": (answer) =>
    String(answer.headers["content-type"]).startsWith("text/plain")
      ? withHeaders(answer, { "content-type": "text/html" })
      : answer,
  "text-json": (answer) => (isJson(answer) ? withHeaders(answer, { "content-type": "text/plain" }) : answer),
  cacheable: (answer) => (isStatus(answer) ? without(answer, "cache-control") : answer),
  "cacheable-errors": (answer) => (isError(answer) ? without(answer, "cache-control") : answer),
  "no-request-id": (answer) => (isStatus(answer) ? without(answer, "x-request-id") : answer),
  "one-request-id": (answer) => (isStatus(answer) ? withHeaders(answer, { "x-request-id": ONE_ID }) : answer),
  "no-allow": (answer) => without(answer, "allow"),
  "no-retry-after": (answer) => without(answer, "retry-after"),
  "no-limit-headers": (answer) =>
    isStatus(answer) ? without(answer, "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset") : answer,
  "no-cors": (answer) => without(answer, ORIGIN),
  "cors-on-success": (answer) => (isError(answer) ? without(answer, ORIGIN) : answer),
  "cors-everywhere": (answer) => (isWebhook(answer) ? answer : withHeaders(answer, { [ORIGIN]: "*" })),
  credentials: (answer) =>
    answer.path.startsWith("/api/svc/check") || answer.path.startsWith("/api/fastauth")
      ? withHeaders(answer, { [CREDENTIALS]: "true" })
      : answer,
};

/** An answer as it leaves a reference: changed by a fault that shows on the wire, where one is planted. */
export function onWire({ has }: Planted, answer: Passing): Passing {
  let passed = answer;
  for (const [name, fault] of Object.entries(WIRE_FAULTS)) {
    const planted = fault(passed);
    if (planted !== passed && has(name)) passed = planted;
  }
  return passed;
}
