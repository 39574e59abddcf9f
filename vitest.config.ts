import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{app,components,lib,scripts}/**/*.test.{ts,tsx}"],
    exclude: ["**/*.integration.test.ts", "node_modules/**"],
  },
});
