import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen, PlantedFaults, SiteError } from "./reference.fixture.ts";

/** Only one kind of signature, at least one of the two kinds, or both. */
export type ReceiverFamily = "svc" | "standard" | "either" | "both";

type ReferenceReceiver = { url: URL; secret: string; close(): void };

const refused = (status: number, message: string) => new SiteError(status, "", message);

/** A test can plant faults in this correct receiver. */
export async function startReferenceReceiver(
  family: ReceiverFamily,
  faults: readonly string[] = [],
): Promise<ReferenceReceiver> {
  const { has } = new PlantedFaults(faults);
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const key = Buffer.from(secret.slice(6), "base64");
  const seenIds = new Set<string>();
  let newest = "";

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST" && !has("any-method")) throw refused(405, "POST an event.");
    if (request.method === "GET" && has("any-method")) return void response.writeHead(200).end();
    const parts: Buffer[] = [];
    const length = Number(request.headers["content-length"] ?? Number.NaN);
    if (Number.isNaN(length) && has("needs-length")) throw refused(411, "Say how long it is.");
    for await (const part of request) parts.push(part);
    if (Number.isNaN(length) && has("length-believed")) parts.length = 0;
    if (has("first-chunk")) parts.splice(1);
    const received = Buffer.concat(parts);
    const bytes = has("rewritten") ? Buffer.from(JSON.stringify(JSON.parse(received.toString()))) : received;
    const isOpen = ["test", "undone"].some(
      (kind) => has(`${kind}-unsigned`) && received.includes(`"event":"${kind}"`),
    );
    if (!isOpen && !proves(request, bytes))
      throw refused(has("refuses-403") ? 403 : 401, "The signature does not match the body.");
    take(received.toString(), String(request.headers["webhook-id"]));
    if (has("redirects")) response.writeHead(307, { Location: "/elsewhere" }).end();
    else response.writeHead(204).end();
  }

  function take(text: string, id: string): void {
    let event: Record<string, unknown>;
    try {
      event = JSON.parse(text);
      if (typeof event?.event !== "string") throw new Error("no event");
    } catch (error) {
      throw has("parse-throws") ? error : refused(400, "This is no event.");
    }
    if (has("twice-throws") && seenIds.has(id)) throw new Error("duplicate key");
    seenIds.add(id);
    const { timestamp, session_id: session, event: type } = event;
    if (has("in-order") && String(timestamp) < newest)
      throw refused(409, "This event is older than the last one.");
    newest = String(timestamp) > newest ? String(timestamp) : newest;
    if (has("test-unknown") && session === "test") throw refused(404, "Unknown session.");
    if (has("session-unknown") && session !== "test") throw refused(404, "Unknown session.");
    if (has("type-unknown") && !["login", "register", "test"].includes(String(type)))
      throw refused(400, "Unknown event.");
    if (has("strict") && Object.keys(event).length > 4) throw refused(400, "Unknown field.");
  }

  function proves(request: IncomingMessage, bytes: Buffer): boolean {
    if (family === "svc") return provesSvc(request, bytes);
    if (family === "standard") return provesStandard(request, bytes);
    const proofs = [provesSvc(request, bytes), provesStandard(request, bytes)];
    return family === "both" ? proofs.every(Boolean) : proofs.some(Boolean);
  }

  function provesSvc({ headers }: IncomingMessage, bytes: Buffer): boolean {
    const signature = String(headers["x-svc-signature"] ?? "");
    if (signature === "" && has("unsigned-taken")) return true;
    if (has("needs-standard") && !headers["webhook-signature"]) return false;
    const expected = (keyed: Buffer | string) => createHmac("sha256", keyed).update(bytes).digest("hex");
    if (has("either-key") && isEqual(signature, expected(key))) return true;
    if (has("prefix-taken") && signature !== "" && expected(secret).startsWith(signature)) return true;
    if (has("any-signature") && signature !== "") return true;
    return isEqual(signature, expected(secret));
  }

  function provesStandard({ headers }: IncomingMessage, bytes: Buffer): boolean {
    const [id, timestamp] = [String(headers["webhook-id"]), String(headers["webhook-timestamp"])];
    const age = Date.now() / 1000 - Number(timestamp);
    const tolerance = has("impatient") ? 10 : 300;
    if (age > tolerance && !has("old-taken")) return false;
    if (age < -tolerance && !has("future-taken")) return false;
    // A receiver that ignored a signed part could not verify even correct events. With this fault, it therefore tries
    // all values that a check might have signed.
    const ids = has("id-unsigned") ? [id, "evt_other"] : [id];
    const seconds = Math.floor(Date.now() / 1000);
    const times = has("timestamp-unsigned")
      ? Array.from({ length: 130 }, (_, back) => seconds + 5 - back)
      : [timestamp];
    const expected = ids.flatMap((one) =>
      times.map((time) => createHmac("sha256", key).update(`${one}.${time}.`).update(bytes).digest("base64")),
    );
    const signatures = String(headers["webhook-signature"] ?? "").split(" ");
    if (has("one-signature") && signatures.length > 1) return false;
    return signatures.some((item) => {
      const [version, signature = ""] = item.split(/,(.*)/s);
      const isRead = version === "v1" || has("any-version");
      return isRead && expected.some((one) => isEqual(signature, one));
    });
  }

  const server = createServer((request, response) => {
    receive(request, response).catch((error) => {
      const { status, message } = error instanceof SiteError ? error : { status: 500, message: "Error" };
      if (has("plain-errors")) response.writeHead(status).end(message);
      else
        response
          .writeHead(status, { "Content-Type": "application/json" })
          .end(JSON.stringify({ error: message }));
    });
  });
  const { origin, close } = await listen(server);
  return { url: new URL("/api/svc/webhook", origin), secret, close };
}

function isEqual(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
