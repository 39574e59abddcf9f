import { database } from "#lib/platform/database/db.ts";
import { DATABASE_WAIT_MS, DatabaseWait, withDatabaseWait } from "#packages/login/database/database-wait.ts";
import { tooManyRequests } from "#packages/login/http/request-limit.ts";
import { notSignedIn } from "#packages/login/plugins/approvals/asker.ts";
import { now, processSingleton } from "#packages/login/process/state.ts";
import { type BrowserSession, findBrowserSession } from "#packages/login/server/browser-session.ts";
import { exportAccount } from "./export-account.ts";

/** When a user who asks for a second export may try again. */
const RETRY_MS = 10_000;
/** Pieces of an export are sent once they are this long together. */
const CHUNK_LENGTH = 16 * 1024;

/** The users whose export this process is sending. */
const exporting = processSingleton("exporting-users", () => new Set<number>());

/**
 * The export of a signed-in user, made while it is read. A user has one at a time in a process. The server cuts off a
 * stalled reader, which ends the export.
 * @param count counts the export
 * @throws {Refusal} what `count` throws, 429 while another export of this user is being sent, 401 if the account was deleted meanwhile
 */
export async function streamExport(
  { id, userId }: BrowserSession,
  count: () => Promise<void>,
): Promise<ReadableStream<Uint8Array>> {
  if (exporting().has(userId)) {
    throw tooManyRequests(
      1,
      RETRY_MS,
      "Another export of your account is being sent. Wait until it has ended.",
    );
  }
  exporting().add(userId);
  const parts = exportAccount(userId);
  const end = async () => {
    exporting().delete(userId);
    await parts.return(undefined);
  };
  const encoder = new TextEncoder();
  const begin = async () => {
    await count();
    return readChunk(parts, id);
  };
  // Before anything is answered, so that a failure is the answer.
  let chunk = await begin().catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      if (chunk === "") {
        await end();
        return controller.close();
      }
      controller.enqueue(encoder.encode(chunk));
      chunk = await readChunk(parts, id);
    } catch (error) {
      await end();
      controller.error(error);
    }
  };
  return new ReadableStream({ pull, cancel: end }, { highWaterMark: 0 });
}

/**
 * The next pieces, empty at the end. Each chunk may wait for the database as long as a request may.
 * @throws {Refusal} 401 once the browser session has ended: nothing more is done in its name
 */
function readChunk(parts: AsyncGenerator<string>, sessionId: string): Promise<string> {
  return withDatabaseWait(new DatabaseWait(DATABASE_WAIT_MS), async () => {
    const text = await readPieces(parts);
    if (!(await findBrowserSession(database(), sessionId, now()))) throw notSignedIn();
    return text;
  });
}

async function readPieces(parts: AsyncGenerator<string>): Promise<string> {
  let text = "";
  while (text.length < CHUNK_LENGTH) {
    const part = await parts.next();
    if (part.done) return text;
    text += part.value;
  }
  return text;
}
