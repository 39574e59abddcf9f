/** Importing a file with `?raw` returns its text (next.config.mjs, `turbopack.rules`). */
declare module "*?raw" {
  const text: string;
  export default text;
}
