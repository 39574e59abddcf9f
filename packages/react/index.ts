export { ApprovalProvider, useApproval } from "./approval/approval-provider.tsx";
export { HostedLogin } from "./login/hosted-login.tsx";
export { LoginScreen, LoginSteps } from "./login/login-screen.tsx";
export { SiteLogin } from "./login/site-login.tsx";
export { RecoveryCodesScreen } from "./recovery/recovery-codes.tsx";
export { RecoveryScreen } from "./recovery/recovery-screen.tsx";
