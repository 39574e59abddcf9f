/**
 * All state of a process, by name: one object on `globalThis`. Code is loaded twice, by the framework's bundles and by
 * Node (docs/decisions/0047-loaded-by-node.md), and each copy has module variables of its own.
 */
const STATE = Symbol.for("svc-login");

/** The state of this process. Tests forget it between files. */
export function processState(): Record<string, unknown> {
  const holder = globalThis as typeof globalThis & { [STATE]?: Record<string, unknown> };
  holder[STATE] ??= Object.create(null) as Record<string, unknown>;
  return holder[STATE];
}

/** One value a process, made at first use: a pool, a listener, a counter. */
export function processSingleton<Value>(name: string, make: () => Value): () => Value {
  return () => {
    const state = processState();
    state[name] ??= make();
    return state[name] as Value;
  };
}
