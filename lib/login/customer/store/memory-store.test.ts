import { describe } from "vitest";
import { testHostedStore } from "./hosted-store.fixture.ts";
import { memoryStore } from "./memory-store.ts";

describe("the store in memory", () => testHostedStore(memoryStore));
