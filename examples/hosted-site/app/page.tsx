export { default } from "./login/page.tsx";
