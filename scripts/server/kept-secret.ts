import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The secret that signs session tokens, made once and kept in the data folder (contract 1, NEXTAUTH_SECRET). */
export function keptSecret(dataFolder: string): string {
  const file = join(dataFolder, "nextauth-secret");
  mkdirSync(dataFolder, { recursive: true });
  try {
    // Exclusive, so that two processes that start at once agree on one.
    writeFileSync(file, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return readFileSync(file, "utf8").trim();
}
