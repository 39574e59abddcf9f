import * as http from "node:http";
import * as https from "node:https";
import type { Browser } from "../browser.ts";
import type { Site } from "./site.ts";

const LISTENS_SECONDS = 10;

export type EventStream = {
  status: number;
  /** Whether this text comes, sooner or later. */
  hears(text: string): Promise<boolean>;
  close(): void;
};

/** Opens the event stream of a login (docs/protocol.md#34-get-apisvcevents). */
export async function readEvents(site: Site, browser: Browser, sid: string): Promise<EventStream> {
  const { origin, events } = site.target;
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { Accept: "text/event-stream", ...(cookie ? { Cookie: cookie } : {}) };
  site.http.countStream();
  const send = origin.protocol === "https:" ? https.request : http.request;
  const request = send(new URL(`${events}?sid=${encodeURIComponent(sid)}`, origin), { headers });
  request.setTimeout(LISTENS_SECONDS * 1000, () => request.destroy());
  request.end();
  let heard = "";
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const listener of waiting) listener();
  };
  const status = await new Promise<number>((resolve) => {
    request.on("error", () => {
      resolve(0);
      wake();
    });
    request.on("response", (response) => {
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        heard += part;
        wake();
      });
      response.on("error", wake);
      response.on("close", wake);
      resolve(response.statusCode ?? 0);
    });
  });
  return {
    status,
    hears: (text) =>
      new Promise((resolve) => {
        const look = () => {
          const found = heard.includes(text);
          if (!found && !request.destroyed) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          resolve(heard.includes(text));
        }, LISTENS_SECONDS * 1000);
        waiting.add(look);
        look();
      }),
    close: () => request.destroy(),
  };
}
