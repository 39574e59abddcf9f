export { AddWallet } from "./account/add-wallet.tsx";
export { Browsers } from "./account/browsers.tsx";
export { type ListedSignInMethod, SignInMethods } from "./account/sign-in-methods.tsx";
export { SignOutButton } from "./account/sign-out-button.tsx";
export { ApprovalDialog } from "./approval/approval-dialog.tsx";
export { ApprovalProvider, ChangeButton, useApproval, useChange } from "./approval/approval-provider.tsx";
export { useLogin, useLoginSession } from "./hooks.ts";
export { HostedLogin } from "./login/hosted-login.tsx";
export { Login, type LoginProps } from "./login/login-panel.tsx";
export { LoginScreen, LoginSteps, StepList } from "./login/login-screen.tsx";
export { PendingRecovery } from "./recovery/pending-recovery.tsx";
export { RecoveryCodes } from "./recovery/recovery-codes.tsx";
export { RecoverAccount } from "./recovery/recovery-screen.tsx";
export { RecoverySummary } from "./recovery/recovery-summary.tsx";
export { de } from "./texts/de.tsx";
export { en, type Texts } from "./texts/en.tsx";
export { preferredLanguage } from "./texts/preferred-language.ts";
export {
  type PartialTexts,
  /** @deprecated `PartialTexts` */
  type PartialTexts as SomeTexts,
  TextsProvider,
} from "./texts/texts-provider.tsx";
export { Button, FocusedHeading } from "./ui/button.tsx";
export { ButtonLink, buttonClass } from "./ui/button-look.tsx";
export { Card, CardPage, Container, Notice, Problem, Section, TextLink } from "./ui/elements.tsx";
export { LocalTime } from "./ui/time.tsx";
