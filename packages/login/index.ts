/** For a site that uses only Next.js (docs/template.md). */

export { createSiteLogin as createLogin, type SiteLogin as Login, sitePlugins } from "./create-site-login.ts";
export * from "./node.ts";
export { nextAuth } from "./plugins/next-auth/next-auth.ts";
export type {
  NextAuthIntegration,
  /** @deprecated `NextAuthIntegration` */
  NextAuthIntegration as OwnNextAuth,
} from "./plugins/next-auth/own-next-auth.ts";
