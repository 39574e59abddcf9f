/** A file's text (next.config.mjs, `turbopack.rules`). */
declare module "*?raw" {
  const text: string;
  export default text;
}
