/** The text of an imported file (next.config.mjs, `turbopack.rules`). */
declare module "*?raw" {
  const text: string;
  export default text;
}
