import { CircleCheck, CircleX, Hourglass, LoaderCircle, Pause, UserPlus, WifiOff } from "lucide-react";
import { classNames } from "#components/ui/class-names.ts";
import type { LoginState } from "#lib/login/client/login-state.ts";

const PICTURES = {
  loading: { Icon: LoaderCircle, className: "animate-turn text-muted-foreground" },
  received: { Icon: CircleCheck, className: "text-success" },
  "signed-in": { Icon: CircleCheck, className: "text-success" },
  unregistered: { Icon: UserPlus, className: "text-muted-foreground" },
  paused: { Icon: Pause, className: "text-muted-foreground" },
  offline: { Icon: WifiOff, className: "text-warning" },
  "rate-limited": { Icon: Hourglass, className: "text-warning" },
  failed: { Icon: CircleX, className: "text-danger" },
} as const;

/** What stands where the code stood, while there is none: decoration for the status line's words. */
export function PhasePicture({ phase }: { phase: Exclude<LoginState["phase"], "waiting"> }) {
  const { Icon, className } = PICTURES[phase];
  return (
    <div className="flex aspect-square w-full items-center justify-center rounded-base bg-muted">
      <Icon aria-hidden strokeWidth={1.5} className={classNames("size-12", className)} />
    </div>
  );
}
