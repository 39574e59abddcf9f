import type { z } from "zod";
import { type Action, isAction } from "../protocol/challenge.ts";
import { refusal } from "../protocol/errors.ts";
import { WalletResponse } from "../protocol/messages.ts";
import type { CodeIntent } from "../store/login-session.ts";
import { acceptResponse } from "./accept-response.ts";
import { describeCode, networkTag } from "./ask-code.ts";
import { checkLogin, type StreamPlace, watchLogin } from "./check-login.ts";
import { bindingSetCookie, knownBrowserSetCookie, readBindingSecret, readKnownBrowser } from "./cookies.ts";
import { isSecure, type LoginCore } from "./core.ts";
import { issueLogin } from "./issue-login.ts";
import { hashSecret, newWord } from "./random.ts";
import { type UndoRules, undoLogin } from "./undo-login.ts";
import { requireSid, userAgentOf, type WebRequest } from "./web-request.ts";

/** A request as the door hands it on: counted, bounded, and with its own database handle in the core. */
export type LoginCall = {
  core: LoginCore;
  request: WebRequest;
  requestId: string;
  /** The client's address, an IPv6 client's as its /64; null where it is not known. */
  client: string | null;
  /** The query, each name once. */
  query: Record<string, string | undefined>;
  /** The JSON body as `schema` describes it. @throws {Refusal} 400, 413, 415 */
  body<Schema extends z.ZodType>(schema: Schema): Promise<z.infer<Schema>>;
  /** The answer 200 with a JSON body. */
  json(body: unknown, headers?: Record<string, string>): Response;
  /** A place among the open streams. @throws {Refusal} 429, 503 */
  streamPlace(): StreamPlace;
};

/** Reads what a code is for, if not to sign in, from the query's `intent`. @throws {Refusal} 400, 401, 403 */
export type IntentReader = (asked: string, action: Action, sent: LoginCall["request"]) => Promise<CodeIntent>;

const EVENT_STREAM_HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-store, no-transform",
};

/** The endpoints of docs/protocol.md#3-login, each a function of a call. */
export function loginHandlers(readIntent: IntentReader, undoRules: UndoRules) {
  return {
    /** `GET /api/svc/qr` */
    async qr({ core, request, requestId, client, query, json }: LoginCall): Promise<Response> {
      const action = query.mode ?? "login";
      if (!isAction(action)) throw refusal("invalid_request", 'The mode is "login" or "register".');
      const { intent: asked } = query;
      const intent = asked === undefined ? null : await readIntent(asked, action, request);
      const secret = secretOf(request, core);
      const secure = isSecure(core);
      const known = readKnownBrowser(request.headers.get("cookie"), secure);
      const word = known ?? newWord();
      const browser = {
        userAgent: userAgentOf(request.headers),
        network: networkTag(core.secrets[0], client),
        knownBrowserHash: hashSecret(word),
      };
      const sid = query.sid ?? null;
      const issued = await issueLogin(core, { requestId, action, sid, secret, intent, browser });
      const answer = json(issued.answer, { "Set-Cookie": bindingSetCookie(issued.secret, secure) });
      if (known === null) answer.headers.append("Set-Cookie", knownBrowserSetCookie(word, secure));
      return answer;
    },

    /** `GET /api/svc/check` */
    check: async ({ core, query, json }: LoginCall): Promise<Response> =>
      json(await checkLogin(core, requireSid(query))),

    /** `GET /api/svc/events` */
    async events({ core, request, query, streamPlace }: LoginCall): Promise<Response> {
      const browser = { sid: requireSid(query), secret: secretOf(request, core) };
      const stream = await watchLogin(core, browser, streamPlace(), request.signal);
      return new Response(stream, { headers: EVENT_STREAM_HEADERS });
    },

    /** `GET /webhook/login` and `GET /webhook/register`, as a wallet asks them before it shows a code. */
    ask:
      (action: Action) =>
      async ({ core, client, query, json }: LoginCall): Promise<Response> =>
        json(await describeCode(core, action, { sid: query.s ?? "", challenge: query.c ?? "", client })),

    /** `POST /webhook/undo` */
    undo: async ({ core, requestId, query, json }: LoginCall): Promise<Response> =>
      json(await undoLogin(core, { sid: query.s ?? "", word: query.t ?? "" }, { requestId, ...undoRules })),

    /** `POST /webhook/login` and `POST /webhook/register` */
    respond:
      (action: Action) =>
      async ({ core, requestId, body, json }: LoginCall): Promise<Response> =>
        json(await acceptResponse(core, action, await body(WalletResponse), { requestId })),
  };
}

function secretOf({ headers }: LoginCall["request"], core: LoginCore): string | null {
  return readBindingSecret(headers.get("cookie"), isSecure(core));
}
