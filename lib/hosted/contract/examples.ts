import type { z } from "zod";
import type { CREATE_DOMAIN, UPDATE_DOMAIN } from "./domain.ts";
import { EXAMPLE_DOMAIN, EXAMPLE_WEBHOOK_URL } from "./example-names.ts";
import type { CreateSession } from "./session.ts";
import type { VerifySignature } from "./verify.ts";

/** Bodies that the operations accept, by `operationId`: what the reference and the console begin with. */

/** A signature that is good: the wallet documentation's test vector. */
export const SIGNATURE_EXAMPLE: z.input<typeof VerifySignature> = {
  public_key:
    "0454952afb3a1c510558ba01cb74505adfe9ab9bf4fea8bf154b77139dee04c1ebce13ac127d5e3cb898f6ec664ea03f1dfd4627b5d9dbba455d41df8bc3170adc",
  signature:
    "3045022100dc6d1895aee5657838824e9c5f36efb6209822180321d2493854dcb9ddd5c33e022079bd09f30562419a09cff7e48a21eb0da7cca05ea62812c162b43645eff7ee66",
  message: "svc:login:example.com:1700000000:0123456789abcdefghijABCDEFGHIJxy",
};

const SESSION: z.input<typeof CreateSession> = { domain: EXAMPLE_DOMAIN, mode: "login" };
const DOMAIN: z.input<typeof CREATE_DOMAIN.body> = {
  domain: EXAMPLE_DOMAIN,
  webhook_url: EXAMPLE_WEBHOOK_URL,
};
const WEBHOOK: z.input<typeof UPDATE_DOMAIN.body> = {
  webhook_url: EXAMPLE_WEBHOOK_URL,
};

export const BODY_EXAMPLES: Record<string, object> = {
  createSession: SESSION,
  verifySignature: SIGNATURE_EXAMPLE,
  createDomain: DOMAIN,
  updateDomain: WEBHOOK,
};
