export default {
  testRunner: "vitest",
  vitest: { configFile: "tools/mutate/vitest.config.ts", related: false },
  // No file has this name. Otherwise, Stryker would read tsconfig.json with an API that TypeScript 7 no longer has.
  tsconfigFile: "none.json",
  ignorePatterns: [".data", ".next", "generated", "prisma"],
  tempDirName: ".data/mutate/sandbox",
  concurrency: 1,
  coverageAnalysis: "perTest",
  reporters: ["clear-text"],
  clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false },
  logLevel: "error",
};
