import imported from "next-auth";

type NextAuth = typeof imported;

/** NextAuth's handler. To import its CommonJS module gives `exports` in Node, and `exports.default` in a bundle. */
export const nextAuth = "default" in imported ? (imported.default as NextAuth) : imported;
