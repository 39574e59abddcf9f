import { expect, test } from "vitest";
import { CONSOLE_OPERATIONS } from "#lib/hosted/contract/console.ts";
import { describeFormFields } from "#lib/hosted/contract/reference.ts";
import { OPERATION_TEXTS, type OperationTexts } from "./operation-texts.tsx";

const texts: [string, OperationTexts][] = Object.entries(OPERATION_TEXTS);

test.each(texts)("has a text for the operation and for each of its fields: %s", (route, { fields = {} }) => {
  const operation = CONSOLE_OPERATIONS.find(({ method, path }) => route === `${method} ${path}`);
  expect(operation).toBeDefined();
  if (!operation) return;
  expect(Object.keys(fields)).toEqual(describeFormFields(operation).map(({ name }) => name));
});
