/**
 * One value a process, made at first use. The framework bundles routes, pages and instrumentation apart, each
 * with its own copy of a module; what must exist once (a pool, a listener) is kept here instead.
 */
export function processSingleton<Value>(name: string, make: () => Value): () => Value {
  const holder = globalThis as typeof globalThis & { [key: symbol]: Value | undefined };
  const key = Symbol.for(`svc-login.${name}`);
  return () => (holder[key] ??= make());
}
