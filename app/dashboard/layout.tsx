export { WithApproval as default } from "../with-approval.tsx";
