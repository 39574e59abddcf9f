/**
 * One value a process, made at first use. The framework's bundles of routes and pages, and what Node loads
 * itself (docs/decisions/0047), each have their own copy of a module; what must exist once (a pool, a listener) is kept
 * here instead.
 */
export function processSingleton<Value>(name: string, make: () => Value): () => Value {
  const holder = globalThis as typeof globalThis & { [key: symbol]: Value | undefined };
  const key = Symbol.for(`svc-login.${name}`);
  return () => (holder[key] ??= make());
}
