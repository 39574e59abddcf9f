import { database } from "#lib/platform/database/db.ts";
import {
  DATABASE_WAIT_MS,
  DatabaseWaitTimer,
  runWithDatabaseWaitTimer,
} from "#packages/login/database/database-wait.ts";
import { rateLimitRefusal } from "#packages/login/http/request-limit.ts";
import { notSignedInRefusal } from "#packages/login/plugins/approvals/requester.ts";
import { now, processSingleton } from "#packages/login/process/state.ts";
import { type BrowserSession, findBrowserSession } from "#packages/login/server/browser-session.ts";
import { exportAccount } from "./export-account.ts";

/** How long a user must wait before another export. */
const RETRY_MS = 10_000;
/** Parts of an export are collected up to this length and then sent. */
const CHUNK_LENGTH = 16 * 1024;

/** The users to whom this process is sending an export. */
const exporting = processSingleton("exporting-users", () => new Set<number>());

/**
 * A process sends only one export at a time to each user. If the reader stalls, the server disconnects it and the
 * export ends.
 * @param count counts the export
 * @throws {Refusal} any error from `count`; 429 if another export of this user is being sent; 401 if the account was
 * deleted in the meantime
 */
export async function streamAccountExport(
  { id, userId }: BrowserSession,
  count: () => Promise<void>,
): Promise<ReadableStream<Uint8Array>> {
  if (exporting().has(userId)) {
    throw rateLimitRefusal(
      1,
      RETRY_MS,
      "Another export of your account is being sent. Wait until it has finished.",
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
  // Reads the first part before the response begins, so that a failure can still become an error response.
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
 * An empty string at the end. Each chunk can wait for the database for as long as a whole request can.
 * @throws {Refusal} 401 if the browser session has ended, which stops the export
 */
function readChunk(parts: AsyncGenerator<string>, sessionId: string): Promise<string> {
  return runWithDatabaseWaitTimer(new DatabaseWaitTimer(DATABASE_WAIT_MS), async () => {
    const text = await readPieces(parts);
    if (!(await findBrowserSession(database(), sessionId, now()))) throw notSignedInRefusal();
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
