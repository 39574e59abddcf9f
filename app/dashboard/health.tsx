import { ButtonLink, joinClassNames } from "#packages/react/ui/button-look.tsx";
import { ShieldAlert, ShieldCheck, ShieldX } from "#packages/react/ui/icons.tsx";

type Facts = {
  /** The number of sign-in methods that still work. */
  ways: number;
  /** The number of recovery codes that still work. */
  codes: number;
  /** True if the user can add a sign-in method without another approval. */
  canAdd: boolean;
  /** True if a card below already offers the same action. */
  isTaskBelow: boolean;
};

type Health = {
  tone: "success" | "warning" | "danger";
  title: string;
  text: string;
  /** Null if there is nothing to do. */
  action: { href: string; label: string } | null;
};

const LOOKS = {
  success: { Icon: ShieldCheck, strip: "border-success/30 bg-success-surface", icon: "text-success" },
  warning: { Icon: ShieldAlert, strip: "border-warning/40 bg-warning-surface", icon: "text-warning" },
  danger: { Icon: ShieldX, strip: "border-danger/50 bg-danger-surface", icon: "text-danger" },
} as const;

export function AccountHealth({ isTaskBelow, ...facts }: Facts) {
  const { tone, title, text, action } = healthOf(facts);
  const { Icon, strip, icon } = LOOKS[tone];
  return (
    <section
      aria-labelledby="health"
      className={joinClassNames(
        "flex flex-wrap items-center gap-x-4 gap-y-3 rounded-base border p-4 sm:px-6",
        strip,
      )}
    >
      <Icon aria-hidden className={joinClassNames("size-7 shrink-0", icon)} strokeWidth={1.75} />
      <div className="min-w-0 grow basis-60">
        <h2 id="health" className="font-semibold">
          {title}
        </h2>
        <p className="text-sm">{text}</p>
      </div>
      {action && !isTaskBelow && (
        <ButtonLink variant="primary" href={action.href}>
          {action.label}
        </ButtonLink>
      )}
    </section>
  );
}

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

function healthOf({ ways, codes, canAdd }: Omit<Facts, "isTaskBelow">): Health {
  const summary = `${count(ways, "sign-in method", "sign-in methods")}, ${codes === 0 ? "no recovery codes" : count(codes, "recovery code", "recovery codes")}.`;
  if (ways === 0) return withoutSignInMethod(codes, canAdd);
  if (ways === 1 && codes === 0) {
    return {
      tone: "warning",
      title: "If you lose your wallet, you lose this account",
      text: `${summary} You can create recovery codes in a minute, and use them to get back in.`,
      action: { href: "/dashboard/recovery", label: "Create recovery codes" },
    };
  }
  if (codes === 0) {
    return {
      tone: "success",
      title: "You can lose a device and still get in",
      text: `${summary} With recovery codes on paper, you can lose every device and still get in.`,
      action: { href: "/dashboard/recovery", label: "Create recovery codes" },
    };
  }
  if (codes === 1) {
    return {
      tone: "warning",
      title: "You have one recovery code left",
      text: `${summary} Create two new codes. The old code will then stop working.`,
      action: { href: "/dashboard/recovery", label: "Create new codes" },
    };
  }
  return { tone: "success", title: "You can lose a device and still get in", text: summary, action: null };
}

/** This browser is still signed in, but all keys belonged to temporary wallets, so no wallet can sign in again. */
function withoutSignInMethod(codes: number, canAdd: boolean): Health {
  const add = { href: "/dashboard/add?kind=wallet", label: "Add a permanent wallet" };
  if (codes > 0) {
    return {
      tone: "warning",
      title: "Your temporary wallet is gone",
      text: canAdd
        ? "Add a permanent wallet within 10 minutes of signing in. After that, you need one of your recovery codes to add a wallet."
        : "Sign out and use one of your recovery codes to choose a permanent wallet.",
      action: canAdd ? add : { href: "/recover", label: "Use a recovery code" },
    };
  }
  return {
    tone: "danger",
    title: "Your temporary wallet is gone",
    text: canAdd
      ? "Add a permanent wallet within 10 minutes, or you’ll lose this account when you sign out."
      : "It’s too late to add a wallet (you had 10 minutes). When you sign out, you will lose this account.",
    action: canAdd ? add : { href: "/api/account/export", label: "Save your data" },
  };
}
