import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { Plus, Printer } from "#packages/react/ui/icons.tsx";

export function AddSignInMethod() {
  return (
    <div className="flex flex-wrap gap-3">
      <ButtonLink size="small" href="/dashboard/add?kind=wallet">
        <Plus aria-hidden className="size-4 shrink-0" />
        Add a wallet
      </ButtonLink>
      <ButtonLink size="small" href="/dashboard/add?kind=address">
        <Plus aria-hidden className="size-4 shrink-0" />
        Add an address
      </ButtonLink>
    </div>
  );
}

/** @param props.codes the number that still work */
export function RecoveryCodesItem({ codes }: { codes: number }) {
  return (
    <li className="svc-row">
      <Printer aria-hidden className="svc-row-icon" strokeWidth={1.5} />
      <div className="svc-row-text">
        <p className="svc-strong">Recovery codes</p>
        <p className="svc-note">
          {codes === 0
            ? "None yet. With two codes on paper, you can recover your account if you lose every wallet."
            : codes === 1
              ? "One code works. You can recover your account with it if you lose every wallet."
              : `${codes} codes work. You can recover your account with either if you lose every wallet.`}
        </p>
      </div>
      <ButtonLink size="small" href="/dashboard/recovery">
        {codes === 0 ? "Create recovery codes" : "Manage recovery codes"}
      </ButtonLink>
    </li>
  );
}
