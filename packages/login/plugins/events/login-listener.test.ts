import { EventEmitter } from "node:events";
import type pg from "pg";
import { expect, test, vi } from "vitest";
import { LoginNotifications } from "./login-listener.ts";

/** A connection whose last answer comes in one packet with the notification that the server ends it. */
class EndingClient extends EventEmitter {
  async connect(): Promise<void> {}
  async end(): Promise<void> {}
  async query(text: string): Promise<{ rows: unknown[] }> {
    if (text.startsWith("SELECT sid")) this.emit("error", new Error("terminating connection"));
    return { rows: [] };
  }
}

test("opens another connection after the server has closed the previous one", async () => {
  vi.useFakeTimers();
  try {
    const open = vi.fn(() => new EndingClient() as unknown as pg.Client);
    const notifications = new LoginNotifications(open, () => {});
    notifications.subscribe("sid", () => {});
    await vi.advanceTimersByTimeAsync(1_500);
    expect(open).toHaveBeenCalledTimes(2);
    notifications.stop();
  } finally {
    vi.useRealTimers();
  }
});
