import { registerHooks } from "node:module";

/**
 * Lets this process load what is marked with `server-only`, which throws outside a React server. Import such modules
 * afterwards, by `import()`.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier,
      specifier === "server-only"
        ? { ...context, conditions: [...context.conditions, "react-server"] }
        : context,
    ),
});
