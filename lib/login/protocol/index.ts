/** The formats and numbers of docs/protocol.md. Runs anywhere. */
export * from "./answers.ts";
export * from "./challenge.ts";
export * from "./errors.ts";
export * from "./numbers.ts";
export * from "./qr-payload.ts";
export * from "./same-origin-path.ts";
export * from "./wallet-response.ts";
