import { z } from "zod";
import { DOMAIN_OPERATIONS, DomainDelegation, DomainDetail, DomainItem } from "./domain.ts";
import * as events from "./event.ts";
import type { Operation } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";
import * as sessions from "./session.ts";
import { VerifiedSignature, VerifySignature } from "./verify.ts";

/** Names schemas in the OpenAPI document, so that generated clients have one type for each resource. */

type JsonSchema = z.core.JSONSchema.BaseSchema;

const REQUESTS = {
  CreateSession: sessions.CreateSession,
  RefreshSession: sessions.RefreshSession,
  SessionClient: sessions.SessionClient,
  SessionMetadata: sessions.SessionMetadata,
  VerifySignature,
  CreateDomain: DOMAIN_OPERATIONS.createDomain.body,
  UpdateDomain: DOMAIN_OPERATIONS.updateDomain.body,
};

const SHARED = {
  Action: events.LoginAction,
  DeliveryStatus: events.DeliveryStatus,
};

const ANSWERS = {
  CreatedSession: sessions.CreatedSession,
  RefreshedSession: sessions.RefreshedSession,
  Session: sessions.SessionState,
  PendingSession: sessions.PendingSession,
  AuthenticatedSession: sessions.AuthenticatedSession,
  SessionUser: sessions.SessionUser,
  SessionStatus: sessions.SessionStatus,
  ListedSession: sessions.ListedSession,
  SessionList: sessions.SESSION_OPERATIONS.listSessions.success.schema,
  VerifiedSignature,
  Domain: DomainItem,
  DomainDetail,
  DomainDelegation,
  DomainList: DOMAIN_OPERATIONS.listDomains.success.schema,
  CreatedDomain: DOMAIN_OPERATIONS.createDomain.success.schema,
  VerifiedDomain: DOMAIN_OPERATIONS.verifyDomain.success.schema,
  RotatedSecret: DOMAIN_OPERATIONS.rotateSecret.success.schema,
  Delivery: events.DeliveryItem,
  DeliveryDetail: events.DeliveryDetail,
  DeliveryAttempt: events.DeliveryAttempt,
  SentDeliveryAttempt: events.DeliveryAttemptWithHeaders,
  DeliveryList: events.EVENT_OPERATIONS.listDeliveries.success.schema,
  WebhookEvent: events.EventEnvelope,
  EventKind: events.EventKind,
  EventData: events.EventData,
  DeviceInfo: events.EventDevice,
};

/** Schemas that refer to the components without being components themselves. */
const QUERIES: Record<string, z.ZodType> = {};
for (const { id, query } of OPERATIONS) if (query) QUERIES[id] = query;

type Schemas = Record<string, z.ZodType>;

/** The schemas refer to each other by name. */
function describe(schemas: Schemas, io: "input" | "output"): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const described = z.toJSONSchema(registry, {
    ...{ target: "draft-2020-12", io },
    uri: refTo,
    override({ jsonSchema }) {
      // Some clients cannot compile the pattern for times, and the format expresses the same.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  const entries = Object.entries(described.schemas);
  return Object.fromEntries(entries.map(([id, { $schema, $id, ...schema }]) => [id, schema]));
}

const refTo = (id: string) => `#/components/schemas/${id}`;

const requestSchemas = describe({ ...QUERIES, ...REQUESTS, ...SHARED }, "input");
const responseSchemas = describe({ ...ANSWERS, ...SHARED }, "output");

export const COMPONENT_SCHEMAS: Record<string, JsonSchema> = {
  ...Object.fromEntries(Object.keys(REQUESTS).map((id) => [id, requestSchemas[id] ?? {}])),
  ...responseSchemas,
};

export function listQueryParameters({ id }: Operation): [string, JsonSchema][] {
  const properties: Record<string, JsonSchema | boolean> = requestSchemas[id]?.properties ?? {};
  return Object.entries(properties).flatMap(([name, schema]) =>
    typeof schema === "object" ? [[name, schema]] : [],
  );
}

const NAMES = new Map<z.ZodType, string>(
  Object.entries({ ...REQUESTS, ...ANSWERS }).map(([id, schema]) => [schema, id]),
);

export function getComponentReference(schema: z.ZodType): { $ref: string } {
  const id = NAMES.get(schema);
  if (id === undefined) throw new Error("a schema of the API is not among its components");
  return { $ref: refTo(id) };
}
