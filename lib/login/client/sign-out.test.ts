import { beforeEach, expect, it, vi } from "vitest";

let answer: () => Response;

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal("window", { location: { href: "https://login.example/dashboard" } });
  vi.stubGlobal("fetch", async (path: string) =>
    path === "/api/auth/csrf" ? Response.json({ csrfToken: "token" }) : answer(),
  );
});

const signOut = async () => (await import("./next-auth.ts")).signOut();

it("is signed out when the server says so", async () => {
  answer = () => Response.json({ url: "https://login.example/" });
  expect(await signOut()).toBe(true);
});

it.each([
  ["while the database is away", () => Response.json({ error: {} }, { status: 503 })],
  ["without an answer", () => Response.error()],
  [
    "while the token is refused",
    () => Response.json({ url: "https://login.example/api/auth/signout?csrf=true" }),
  ],
])("is still signed in %s", async (_, answered) => {
  answer = answered;
  expect(await signOut()).toBe(false);
});
