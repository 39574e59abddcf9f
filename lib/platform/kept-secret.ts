import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError, Secret } from "./env-values.ts";

/**
 * The secret that encrypts session tokens, made once and kept in the data folder.
 * @throws {ConfigurationError} when the file holds something else by now
 */
export function keptSecret(dataFolder: string): string {
  const file = join(dataFolder, "nextauth-secret");
  const draft = `${file}.${randomUUID()}`;
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(draft, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 });
  try {
    // A link appears whole or not at all: two processes that start at once agree on one secret.
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft);
  }
  const kept = Secret.safeParse(readFileSync(file, "utf8").trim());
  if (kept.success) return kept.data;
  throw new ConfigurationError(
    `${file}: expected the secret that was kept there; restore it, or remove the file, which signs everybody out`,
  );
}
