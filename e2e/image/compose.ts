import { parse } from "yaml";
import { z } from "zod";

const Service = z.object({
  image: z.string().optional(),
  build: z.string().optional(),
  environment: z.record(z.string(), z.string()),
  ports: z.array(z.string()).default([]),
});

/** The part of compose.yaml that the tests look at. */
export type Compose = { services: Record<string, z.infer<typeof Service>>; text: string };

/** Reads compose.yaml. */
export function parseCompose(text: string): Compose {
  const { services } = z.object({ services: z.record(z.string(), Service) }).parse(parse(text));
  return { services, text };
}

/**
 * A service's environment, its values filled in as Compose does: `${NAME:?why}` has to be set, `${NAME:-else}` has a
 * value for when it is not.
 * @throws {Error} naming what has to be set and is not
 */
export function environmentOf(
  { services }: Compose,
  name: string,
  variables: Record<string, string>,
): Record<string, string> {
  const fill = (text: string) =>
    text.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_all, variable: string, kind?: string, rest = "") => {
      const value = variables[variable] ?? "";
      if (value !== "" || kind === undefined) return value;
      if (kind === "-") return rest;
      throw new Error(`${variable} has to be set: ${rest}`);
    });
  const { environment = {} } = services[name] ?? {};
  return Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, fill(value)]));
}
