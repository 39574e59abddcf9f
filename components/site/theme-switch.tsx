"use client";

import { THEME_COOKIE, type Theme } from "#lib/platform/http/preference-cookies.ts";
import { useHydrated } from "#packages/react/ui/button.tsx";
import { Monitor, Moon, Sun, type SvgIcon } from "#packages/react/ui/icons.tsx";

const REMEMBERED_SECONDS = 365 * 24 * 3_600;

const CHOICES: { theme: Theme | "system"; name: string; Icon: SvgIcon }[] = [
  { theme: "system", name: "System", Icon: Monitor },
  { theme: "light", name: "Light", Icon: Sun },
  { theme: "dark", name: "Dark", Icon: Moon },
];

/** A cookie stores the choice for the server, so pages do not flash. */
export function ThemeSwitch({ initial }: { initial: Theme | undefined }) {
  const hydrated = useHydrated();
  return (
    <fieldset
      disabled={!hydrated}
      className="flex rounded-full border p-0.5 print:hidden [@media(scripting:none)]:hidden"
    >
      <legend className="sr-only">Theme</legend>
      {CHOICES.map(({ theme, name, Icon }) => (
        <label
          key={theme}
          title={name}
          className="relative flex size-8 items-center justify-center rounded-full has-checked:bg-foreground has-checked:text-background has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name="theme"
            value={theme}
            defaultChecked={theme === (initial ?? "system")}
            onChange={() => choose(theme)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          <Icon aria-hidden className="size-4" />
          <span className="sr-only">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

function choose(theme: Theme | "system"): void {
  const isSystem = theme === "system";
  const attributes = `Path=/; Max-Age=${isSystem ? 0 : REMEMBERED_SECONDS}; SameSite=Lax`;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the cookie store, nor every origin
  document.cookie = `${THEME_COOKIE}=${theme}; ${attributes}`;
  if (isSystem) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
