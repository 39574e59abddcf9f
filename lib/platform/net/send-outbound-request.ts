import * as http from "node:http";
import * as https from "node:https";
import type { LookupFunction } from "node:net";
import { OUTBOUND_DEADLINE_SECONDS, OUTBOUND_RESPONSE_LIMIT_BYTES } from "#packages/login/http/numbers.ts";
import {
  assertAddressesAllowed,
  type OutboundPolicy,
  OutboundRefusal,
  parseIpLiteral,
  parseOutboundUrl,
} from "./outbound-policy.ts";
import { NameResolutionError, resolveAddresses } from "./resolve.ts";

export type OutboundRequest = {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  /** Exactly this text is sent, in UTF-8. */
  body?: string;
  policy: OutboundPolicy;
  /** For the whole request. The default is 15 s. */
  deadlineSeconds?: number;
  signal?: AbortSignal;
};

/** The error is for the person who chose the URL. */
export type OutboundResult = OutboundResponse | { status: null; error: string };

export type OutboundResponse = {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** At most 64 KB. */
  body: Buffer;
  /** Why the response was not read to its end, or null. */
  cut: string | null;
};

/** The error message contains the time limit `within`. */
type End = { signal: AbortSignal; within: string };

const MAX_HEADER_BYTES = 16 * 1024;

/**
 * The URL comes from a third party. The host is resolved once. If the policy allows all of its IP addresses, only these
 * are contacted, so later DNS answers have no effect. Does not follow redirects, reuse connections or use proxies. Ends
 * at the deadline or after 64 KB. Returns faults of the URL or of the host instead of throwing them.
 */
export async function sendOutboundRequest(request: OutboundRequest): Promise<OutboundResult> {
  const { deadlineSeconds = OUTBOUND_DEADLINE_SECONDS } = request;
  const signals = [AbortSignal.timeout(deadlineSeconds * 1000)];
  if (request.signal) signals.push(request.signal);
  const end = { signal: AbortSignal.any(signals), within: `within ${deadlineSeconds} s` };
  try {
    const url = parseOutboundUrl(request.url, request.policy);
    const addresses = await addressesOf(url, request.policy, end);
    assertAddressesAllowed(url, addresses, request.policy);
    return await exchange(url, addresses, request, end);
  } catch (error) {
    if (error instanceof OutboundRefusal || error instanceof NameResolutionError) {
      return { status: null, error: error.message };
    }
    throw error;
  }
}

async function addressesOf(url: URL, policy: OutboundPolicy, end: End): Promise<string[]> {
  const literal = parseIpLiteral(url);
  if (literal) return [literal];
  const lateResult = Promise.withResolvers<never>();
  const giveUp = () => lateResult.reject(new NameResolutionError(`${url.hostname}: no answer ${end.within}`));
  if (end.signal.aborted) giveUp();
  end.signal.addEventListener("abort", giveUp, { once: true });
  return Promise.race([resolveAddresses(url.hostname, policy.nameServers), lateResult.promise]);
}

function exchange(
  url: URL,
  addresses: readonly string[],
  { method, headers, body }: OutboundRequest,
  end: End,
): Promise<OutboundResult> {
  const protocol = url.protocol === "https:" ? https : http;
  // A new agent for each request, so that it shares no connections and ignores proxy variables.
  const agent = new protocol.Agent({ keepAlive: false, maxCachedSessions: 0 });
  const bytes = body === undefined ? undefined : Buffer.from(body);
  return new Promise<OutboundResult>((resolve) => {
    const request = protocol.request(url, {
      method,
      agent,
      headers: bytes ? { ...headers, "Content-Length": String(bytes.byteLength) } : headers,
      lookup: answerWith(addresses),
      signal: end.signal,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    request.on("response", (response) => resolve(readAnswer(response, end)));
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      resolve({ status: null, error: "the answer was a change of protocol" });
    });
    request.on("error", (error) => resolve({ status: null, error: explain(error, end) }));
    request.end(bytes);
  }).finally(() => agent.destroy());
}

// Connects to the IP addresses that were checked, even if DNS now returns others.
function answerWith(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_hostname, { all }, callback) => {
    const [firstAnswer] = answers;
    if (!firstAnswer) return callback(new Error("no address"), "");
    if (all) callback(null, answers);
    else callback(null, firstAnswer.address, firstAnswer.family);
  };
}

async function readAnswer(response: http.IncomingMessage, end: End): Promise<OutboundResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  let cut: string | null = null;
  try {
    for await (const chunk of response) {
      const room = OUTBOUND_RESPONSE_LIMIT_BYTES - size;
      chunks.push(chunk.subarray(0, room));
      size += chunk.byteLength;
      if (size > OUTBOUND_RESPONSE_LIMIT_BYTES) {
        cut = "the answer was longer than 64 KB";
        break;
      }
    }
  } catch {
    cut = end.signal.aborted ? `the answer did not end ${end.within}` : "the answer broke off";
  }
  response.destroy();
  const { statusCode = 0, headers } = response;
  return { status: statusCode, headers, body: Buffer.concat(chunks), cut };
}

function explain(error: NodeJS.ErrnoException, end: End): string {
  if (end.signal.aborted) return `no answer ${end.within}`;
  const code = error.code ?? "";
  if (code === "ECONNREFUSED") return "the connection was refused";
  if (code === "ECONNRESET" || code === "EPIPE") return "the connection broke off before an answer came";
  if (/^E(HOSTUNREACH|NETUNREACH|ADDRNOTAVAIL|HOSTDOWN|TIMEDOUT)$/.test(code))
    return "the host cannot be reached";
  if (code.startsWith("HPE_")) return "the answer is not valid HTTP";
  if (isTlsProblem(code)) return `TLS failed (${code})`;
  return `the request failed (${code || error.name})`;
}

function isTlsProblem(code: string): boolean {
  return /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(code);
}
