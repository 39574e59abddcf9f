import { expect } from "vitest";
import { z } from "zod";

type Schema = Record<string, unknown>;
type ResponseDescription = {
  headers?: Record<string, unknown>;
  content?: { "application/json": { schema: Schema } };
};
type OpenApiDocument = {
  openapi: string;
  servers: [{ url: string }];
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, ResponseDescription> }>
  >;
  components: { schemas: Record<string, Schema> };
};

const documents = new Map<string, Promise<OpenApiDocument>>();

function openApiOf(url: string, base: string): Promise<OpenApiDocument> {
  const address = `${url}${base}/openapi.json`;
  const cached = documents.get(address);
  if (cached) return cached;
  const document = fetch(address).then((response) => response.json());
  documents.set(address, document);
  return document;
}

/** Also returns the path template. */
function operationOf(document: OpenApiDocument, method: string, path: string) {
  // This is the path as it is sent, because clients resolve `.` and `..`.
  const { pathname } = new URL(path, "http://localhost");
  for (const [template, operations] of Object.entries(document.paths)) {
    const pattern = new RegExp(`^${template.replace(/\{[a-z_]+\}/g, "[^/]+")}$`);
    const operation = pattern.test(pathname) ? operations[method.toLowerCase()] : undefined;
    if (operation) return operation;
  }
  return null;
}

function readerOf({ components }: OpenApiDocument, schema: Schema): z.ZodType {
  const schemaText = JSON.stringify({ ...schema, $defs: components.schemas });
  return z.fromJSONSchema(JSON.parse(schemaText.replaceAll("#/components/schemas/", "#/$defs/")));
}

/** The status, headers, content type and every field. */
export async function expectOpenApi(
  url: string,
  base: string,
  method: string,
  path: string,
  response: Response,
): Promise<void> {
  const document = await openApiOf(url, base);
  const operation = operationOf(document, method, path);
  if (!operation) return;
  const at = `${method} ${path} ${response.status}`;
  const described = operation.responses[response.status];
  if (!described) throw new Error(`${at}: the document has no such answer: ${await response.text()}`);
  for (const name of Object.keys(described.headers ?? {})) {
    expect(response.headers.get(name), `${at}: ${name}`).toMatch(/^\d+$/);
  }
  const schema = described.content?.["application/json"].schema;
  const text = await response.text();
  if (!schema) {
    expect(text, at).toBe("");
    return;
  }
  expect(response.headers.get("content-type"), at).toMatch(/^application\/json/);
  const parsed = readerOf(document, schema).safeParse(JSON.parse(text));
  expect(parsed.success ? "" : `${at}: ${z.prettifyError(parsed.error)} in ${text}`).toBe("");
}
