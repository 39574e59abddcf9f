export { default } from "../dashboard/layout.tsx";
