import { afterAll } from "vitest";

/** What the application keeps once for its process (`processSingleton`) ends with the test file that has used it. */
afterAll(() => {
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    if (Symbol.keyFor(key)?.startsWith("svc-login.")) Reflect.deleteProperty(globalThis, key);
  }
});
