import { createHash, randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import { Client, expectStatus } from "#tools/kit/client.ts";
import { sql } from "#tools/kit/sql.ts";
import { expectOpenApi } from "./openapi.ts";

export type Mode = "live" | "test";

/** As specified (docs/protocol.md#5-hosted-login). */
export const Created = z.strictObject({
  id: z.string(),
  challenge: z.string(),
  qr_data: z.string(),
  expires_at: z.string(),
  status: z.literal("pending"),
  created_at: z.string(),
});
export type Created = z.infer<typeof Created>;

/**
 * A customer's server. It calls the hosted API below one base path with its own API key, and checks every response
 * against the OpenAPI document.
 */
export class Customer {
  readonly url: string;
  readonly mode: Mode;
  readonly tenantId: string;
  readonly apiKeyId: string;
  readonly key: string;
  readonly #client: Client;

  constructor(url: string, tenant: { mode: Mode; tenantId: string; apiKeyId: string; key: string }) {
    this.url = url;
    this.mode = tenant.mode;
    this.tenantId = tenant.tenantId;
    this.apiKeyId = tenant.apiKeyId;
    this.key = tenant.key;
    this.#client = new Client(url);
  }

  /** The same customer and key in another process of the application. */
  at(url: string): Customer {
    return new Customer(url, this);
  }

  /** Throws unless the response matches the OpenAPI document. */
  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const base = this.mode === "live" ? "/v1" : "/sandbox/v1";
    const response = await this.#client.fetch(base + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    await expectOpenApi(this.url, base, method, path, response.clone());
    return response;
  }

  get(path: string) {
    return this.call("GET", path);
  }

  post(path: string, body?: unknown, headers?: Record<string, string>) {
    return this.call("POST", path, body, headers);
  }

  /** Registers a domain and, by default, marks it as verified. The sandbox itself verifies every domain immediately. */
  async registerDomain(
    databaseUrl: string,
    {
      domain = newDomainName(),
      webhookUrl = `https://${domain}/events`,
      verified = true,
    }: { domain?: string; webhookUrl?: string; verified?: boolean } = {},
  ) {
    const response = await this.post("/domains", { domain, webhook_url: webhookUrl });
    const answer = z.object({ id: z.string(), webhook_secret: z.string() }).parse(await response.json());
    if (verified) await sql(databaseUrl, "UPDATE domain SET verified_at = now() WHERE id = $1", [answer.id]);
    return { ...answer, domain };
  }

  async createSession(domain: string, more: Record<string, unknown> = {}): Promise<Created> {
    const response = await expectStatus(await this.post("/sessions", { domain, ...more }), 201);
    return Created.parse(await response.json());
  }
}

/** A new tenant with a key, or another key for `tenantId`. */
export async function newCustomer(
  url: string,
  databaseUrl: string,
  { mode = "test", tenantId }: { mode?: Mode; tenantId?: string } = {},
): Promise<Customer> {
  const owner = tenantId ?? randomUUID();
  const apiKeyId = randomUUID();
  const key = `svc_${mode}_${randomBytes(32).toString("base64url")}`;
  await sql(
    databaseUrl,
    "INSERT INTO owner (id, name, created_at) VALUES ($1::uuid, $2, now()) ON CONFLICT DO NOTHING",
    [owner, `test ${owner}`],
  );
  await sql(
    databaseUrl,
    `INSERT INTO api_key (id, owner_id, mode, name, prefix, hash, created_at)
     VALUES ($1, $2, $3, 'test', 'svc_', $4, now())`,
    [apiKeyId, owner, mode, createHash("sha256").update(key).digest()],
  );
  return new Customer(url, { mode, tenantId: owner, apiKeyId, key });
}

/** In test mode, the domain needs no proof. */
export function newDomainName(): string {
  return `d${randomBytes(6).toString("hex")}.example`;
}
