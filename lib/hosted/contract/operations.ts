import { LIST_DELIVERIES, RESEND_DELIVERY, SEND_TEST_EVENT } from "./delivery-log.ts";
import {
  CREATE_DOMAIN,
  DELETE_DOMAIN,
  GET_DOMAIN,
  LIST_DOMAINS,
  ROTATE_SECRET,
  UPDATE_DOMAIN,
  VERIFY_DOMAIN,
} from "./domain.ts";
import type { Operation } from "./operation.ts";
import { CREATE_SESSION, GET_SESSION, LIST_SESSIONS, REFRESH_SESSION } from "./session.ts";
import { VERIFY_SIGNATURE } from "./verify.ts";

/** Every operation of the hosted API, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = [
  CREATE_SESSION,
  LIST_SESSIONS,
  GET_SESSION,
  REFRESH_SESSION,
  VERIFY_SIGNATURE,
  LIST_DOMAINS,
  CREATE_DOMAIN,
  GET_DOMAIN,
  UPDATE_DOMAIN,
  DELETE_DOMAIN,
  VERIFY_DOMAIN,
  ROTATE_SECRET,
  SEND_TEST_EVENT,
  LIST_DELIVERIES,
  RESEND_DELIVERY,
];

/** Where the OpenAPI document is, below each base; it needs no key. */
export const OPENAPI_PATH = "/openapi.json";
