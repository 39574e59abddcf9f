import pg from "pg";
import { whenStopping } from "../shutdown.ts";
import { LoginNotices } from "./login-listener.ts";
import { destroyOnTimeout } from "./time-limited-pool.ts";

const CONNECT_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Listens for logins that change until the process stops, on a connection with time limits.
 * @param onFailure is told why nothing is heard for now
 */
export function openLoginNotices(config: pg.ClientConfig, onFailure: (error: Error) => void): LoginNotices {
  const open = () => {
    const client = new pg.Client({ ...config, keepAlive: true, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    destroyOnTimeout(client, ANSWER_TIMEOUT_MS);
    return client;
  };
  const notices = new LoginNotices(open, onFailure);
  whenStopping(() => notices.stop());
  return notices;
}
