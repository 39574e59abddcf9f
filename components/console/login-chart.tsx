import type { HourlyLoginCounts } from "#lib/hosted/contract/console.ts";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { Section, TextLink } from "#packages/react/ui/elements.tsx";

const BAR = 10;
const HEIGHT = 48;

/** Logins whose events no server accepted are red. */
export function LoginChart({ hours, mode }: { hours: HourlyLoginCounts[]; mode: ApiMode }) {
  const sum = (count: "logins" | "refused") => hours.reduce((total, hour) => total + hour[count], 0);
  const [logins, refused] = [sum("logins"), sum("refused")];
  const highest = Math.max(...hours.map((hour) => hour.logins));
  const summary = `${logins} ${logins === 1 ? "login" : "logins"} in the last 24 hours`;
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, (count / highest) * HEIGHT));
  return (
    <Section
      id="logins"
      title="Logins"
      text={summary}
      actions={
        refused > 0 && (
          <TextLink href={`/console/${mode}/events`} className="text-sm">
            {refused === 1 ? "1 event not accepted" : `${refused} events not accepted`}
          </TextLink>
        )
      }
    >
      <svg
        role="img"
        aria-label={`${summary}, by hour; ${refused} of their events were not accepted`}
        viewBox={`0 0 ${hours.length * BAR} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-16 w-full border-b"
      >
        {hours.map((hour, index) => {
          const [all, red] = [heightOf(hour.logins), heightOf(hour.refused)];
          const place = { x: index * BAR + 1, width: BAR - 2 };
          return (
            <g key={hour.start}>
              <title>{`${hour.start.slice(11, 16)} UTC: ${hour.logins}`}</title>
              <rect {...place} y={HEIGHT - all} height={all} className="fill-primary" />
              <rect {...place} y={HEIGHT - red} height={red} className="fill-danger" />
            </g>
          );
        })}
      </svg>
      <p className="mt-1 flex justify-between text-muted-foreground text-sm">
        <span>24 hours ago</span>
        <span>now</span>
      </p>
    </Section>
  );
}
