import { describe, expect, it } from "vitest";
import { measureResidentMb, measureUsage } from "../kit/process-figures.ts";
import {
  computePairedRatio,
  measureRounds,
  median,
  quantile,
  toFigures,
  withPersonPerRun,
} from "./measure.ts";
import { formatNumber, formatPercent, formatTable } from "./table.ts";

describe("the benchmark", () => {
  it("computes the median and quantiles", () => {
    expect(median([9, 1, 5])).toBe(5);
    const sorted = Array.from({ length: 100 }, (_, index) => index);
    expect([quantile(sorted, 0.5), quantile(sorted, 0.99), quantile(sorted, 1)]).toEqual([50, 99, 99]);
  });

  it("replaces a simulated user after a given number of runs", async () => {
    const acted: number[] = [];
    let runs = 0;
    const run = withPersonPerRun(
      () => runs++,
      async (person) => void acted.push(person),
      2,
    );
    for (let i = 0; i < 5; i++) await run();
    expect(acted).toEqual([0, 0, 1, 1, 2]);
    acted.length = 0;
    await Promise.all([run(), run()]);
    expect(acted.sort()).toEqual([2, 3]);
  });

  it("runs every task in every round", async () => {
    const ran: string[] = [];
    const work = (name: string) => ({
      name,
      servers: [process.pid],
      database: null,
      run: async () => void ran.push(name),
    });
    const plan = { rounds: 6, seconds: 0, atOnce: 1 };
    const measured = await measureRounds([work("a"), work("b"), work("c")], plan, 3);
    const rounds = ran.join("").match(/.../g);
    expect(rounds).toEqual(["acb", "abc", "cba", "bca", "acb", "cab", "bac"]);
    expect(toFigures(measured).map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  it("compares two tasks round by round, so a slower machine does not change the ratio", () => {
    const times = (factor: number) => [1, 2, 4, 8, 100].map((slowness) => ({ ms: factor * slowness }));
    const { median: middle } = computePairedRatio(times(3), times(2), ({ ms }) => ms) ?? {};
    expect(middle).toBe(1.5);
    expect(computePairedRatio(times(3), times(2), () => null)).toBeNull();
  });

  it.runIf(process.platform === "linux")(
    "measures a process's CPU time and memory, and the machine's idle time",
    () => {
      const used = measureUsage([process.pid], null);
      const until = Date.now() + 200;
      while (Date.now() < until);
      const { idle, serverMs, databaseMs } = used();
      expect(idle).toBeGreaterThanOrEqual(0);
      expect(idle).toBeLessThan(1);
      expect(serverMs).toBeGreaterThan(0);
      expect(databaseMs).toBe(0);
      expect(measureResidentMb([process.pid, process.pid])).toBeGreaterThan(20);
      expect(measureResidentMb([process.pid, 0])).toBeNull();
    },
  );

  it("prints three significant digits", () => {
    expect([1234.5, 12.345, 0.1234, null, Number.NaN].map(formatNumber)).toEqual([
      "1235",
      "12.3",
      "0.12",
      "–",
      "–",
    ]);
    expect([0.256, null, Number.NaN].map(formatPercent)).toEqual(["26 %", "–", "–"]);
    expect(formatTable(["", "n"], [["a", "10"]])).toBe("    n\n─  ──\na  10");
  });
});
