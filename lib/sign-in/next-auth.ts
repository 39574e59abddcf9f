import imported from "next-auth";

type NextAuth = typeof imported;

/** NextAuth's handler: of its CommonJS module Node hands out the exports, a bundler the default one among them. */
export const nextAuth = "default" in imported ? (imported.default as NextAuth) : imported;
