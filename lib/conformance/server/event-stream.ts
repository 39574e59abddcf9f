import * as http from "node:http";
import * as https from "node:https";
import type { Browser } from "../browser.ts";
import { sleep } from "../run-over-http.ts";
import type { Site } from "./site.ts";

const LISTENS_SECONDS = 10;

export type EventStream = {
  /** That of the answer; 0 where none came. */
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
  const status = await new Promise<number>((resolve) => {
    request.on("error", () => resolve(0));
    request.on("response", (response) => {
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        heard += part;
      });
      response.on("error", () => {});
      resolve(response.statusCode ?? 0);
    });
  });
  return {
    status,
    async hears(text) {
      const until = Date.now() + LISTENS_SECONDS * 1000;
      while (!heard.includes(text) && !request.destroyed && Date.now() < until) await sleep(0.02);
      return heard.includes(text);
    },
    close: () => request.destroy(),
  };
}
