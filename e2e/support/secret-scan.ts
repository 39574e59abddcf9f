import { sql } from "#tools/kit/sql.ts";

export type Secret = { name: string; value: string };

/**
 * In `text`, a secret can be unchanged, URL-encoded, in hex, or in base64 or base64url, even inside a longer encoded
 * text. If a secret is itself encoded (base64, base64url, hex), its bytes also count.
 */
export function findSecrets(text: string, secrets: readonly Secret[]): string[] {
  const lowerCase = text.toLowerCase();
  return secrets
    .filter(({ value }) => {
      const { exact, hex } = formsOf(value);
      return exact.some((form) => text.includes(form)) || hex.some((form) => lowerCase.includes(form));
    })
    .map(({ name }) => name);
}

function formsOf(value: string): { exact: string[]; hex: string[] } {
  const bytes = [Buffer.from(value), ...decodings(value)];
  return {
    exact: [value, encodeURIComponent(value), ...bytes.flatMap(base64Forms)],
    hex: bytes.map((buffer) => buffer.toString("hex")),
  };
}

function decodings(value: string): Buffer[] {
  if (/^([0-9a-f]{2}){16,}$/i.test(value)) return [Buffer.from(value, "hex")];
  const text = value.replace(/^(whsec_|svc_(live|test)_)/, "");
  return /^[A-Za-z0-9+/_-]{43,}=*$/.test(text) ? [Buffer.from(text, "base64")] : [];
}

// The forms depend on the position of the bytes in a longer text. Characters that also contain other bits are omitted.
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const inner = encoded.slice(
      offset === 0 ? 0 : offset + 1,
      (offset + bytes.length) % 3 === 0 ? undefined : -1,
    );
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** Every row of every table as text, by table. Binary columns are in hex. */
export async function dumpDatabase(url: string): Promise<Map<string, string>> {
  const tables = await sql<{ name: string }>(
    url,
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await sql<{ row: string }>(url, `SELECT row_to_json(t)::text AS row FROM ${name} AS t`);
    dump.set(name, rows.map(({ row }) => row).join("\n"));
  }
  return dump;
}
