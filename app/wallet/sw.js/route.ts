import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { notFound } from "next/navigation";
import { env } from "#lib/platform/env.ts";
import serviceWorker from "./service-worker.js?raw";

export const dynamic = "force-dynamic";

/** The wallet's service worker (docs/decisions/0015). */
export async function GET(): Promise<Response> {
  if (!env().DEMO_WALLET) notFound();
  return new Response(serviceWorker.replace("__VERSION__", await buildVersion()), {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "no-cache",
      // Allows the scope `/wallet`, which is outside the script's own folder.
      "Service-Worker-Allowed": "/wallet",
    },
  });
}

let version: Promise<string> | undefined;

/** All processes with the same build return the same id. */
function buildVersion(): Promise<string> {
  version ??= readFile(join(process.cwd(), ".next", "BUILD_ID"), "utf8").then(
    (id) => id.trim(),
    () => "development",
  );
  return version;
}
