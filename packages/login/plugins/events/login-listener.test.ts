import { EventEmitter } from "node:events";
import type pg from "pg";
import { expect, test, vi } from "vitest";
import { LoginNotifications } from "./login-listener.ts";

/** The last response arrives in the same packet as the error that ends the connection. */
class EndingClient extends EventEmitter {
  async connect(): Promise<void> {}
  async end(): Promise<void> {}
  async query(text: string): Promise<{ rows: unknown[] }> {
    if (text.startsWith("SELECT sid")) this.emit("error", new Error("terminating connection"));
    return { rows: [] };
  }
}

test("opens a new connection after the database server has closed the previous one", async () => {
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

test("does not report an error if the connection is closed because the process is stopping", async () => {
  const connecting = Promise.withResolvers<void>();
  const client = Object.assign(new EndingClient(), { connect: () => connecting.promise });
  const onFailure = vi.fn();
  const notifications = new LoginNotifications(() => client as unknown as pg.Client, onFailure);
  notifications.subscribe("sid", () => {});
  notifications.stop();
  connecting.reject(new Error("expected SASL response"));
  await Promise.allSettled([connecting.promise]);
  expect(onFailure).not.toHaveBeenCalled();
});
