import { expect, test } from "vitest";
import { findNewerBuiltins } from "./newer-builtins.ts";

test.each([
  ["const a = URL.parse(b)?.host", ["URL.parse"]],
  ["let{promise:a,resolve:b}=Promise.withResolvers()", ["Promise.withResolvers"]],
  ["AbortSignal.any([a,AbortSignal.timeout(5)])", ["AbortSignal.any"]],
  ["a.toSorted((b,c)=>b-c).with(0,1)", [".toSorted()", ".with()"]],
  ["new DisposableStack", ["new DisposableStack"]],
  ["Object.groupBy(a,b);Array.fromAsync(c)", ["Array.fromAsync", "Object.groupBy"]],
])("finds a built-in that older browsers lack: %s", (script, uses) => {
  expect(findNewerBuiltins(script).toSorted()).toEqual(uses.toSorted());
});

test.each([
  "a.map(b).filter(c).at(-1)",
  "myURL.parse(a);JSON.parse(b);z.URL.parse(c)",
  `"function"==typeof Uint8Array.fromBase64?Uint8Array.fromBase64(a):b(a)`,
  `let a="function"==typeof"".isWellFormed?b=>b.isWellFormed():c`,
  `"canParse"in URL||(URL.canParse=function(a){try{return!!new URL(a)}catch{return!1}})`,
  "new URL(a).searchParams.get(b)",
])("accepts built-ins that older browsers have: %s", (script) => {
  expect(findNewerBuiltins(script)).toEqual([]);
});
