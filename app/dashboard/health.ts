import type { Health } from "#components/account/account-health.tsx";

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/**
 * How an account would survive the loss of a device.
 * @param facts.ways those that still sign in
 * @param facts.codes recovery codes that work
 * @param facts.canAdd the sign-in is fresh enough to add a way in without another one's approval
 */
export function healthOf(facts: { ways: number; codes: number; canAdd: boolean }): Health {
  const { ways, codes, canAdd } = facts;
  const has = `${count(ways, "way in", "ways in")}, ${codes === 0 ? "no recovery codes" : count(codes, "recovery code", "recovery codes")}.`;
  if (ways === 0) return withoutWayIn(codes, canAdd);
  if (ways === 1 && codes === 0) {
    return {
      tone: "warning",
      title: "If you lose your wallet, you lose this account",
      text: `${has} Recovery codes take a minute and bring you back.`,
      action: { href: "/dashboard/recovery", label: "Make recovery codes" },
    };
  }
  if (codes === 0) {
    return {
      tone: "success",
      title: "You can lose a device and still get in",
      text: `${has} With recovery codes on paper you could lose every device.`,
      action: { href: "/dashboard/recovery", label: "Make recovery codes" },
    };
  }
  if (codes === 1) {
    return {
      tone: "warning",
      title: "You have one recovery code left",
      text: `${has} Make two new ones: the last stops working then.`,
      action: { href: "/dashboard/recovery", label: "Make new codes" },
    };
  }
  return { tone: "success", title: "You can lose a device and still get in", text: has, action: null };
}

/** Every key was a temporary wallet's: nothing but this browser is signed in, and nothing can sign in again. */
function withoutWayIn(codes: number, canAdd: boolean): Health {
  const add = { href: "/dashboard/add?kind=wallet", label: "Add a permanent wallet" };
  if (codes > 0) {
    return {
      tone: "warning",
      title: "Your temporary wallet is gone",
      text: canAdd
        ? "Add a permanent one within 10 minutes of signing in. Later you need one of your recovery codes for it."
        : "Sign out and use one of your recovery codes to choose a permanent wallet.",
      action: canAdd ? add : { href: "/recover", label: "Use a recovery code" },
    };
  }
  return {
    tone: "danger",
    title: "Your temporary wallet is gone",
    text: canAdd
      ? "Add a permanent one within 10 minutes, or you’ll lose this account when you sign out."
      : "You’ll lose this account when you sign out: adding a wallet took place within 10 minutes of signing in.",
    action: canAdd ? add : { href: "/api/account/export", label: "Save your data", download: true },
  };
}
