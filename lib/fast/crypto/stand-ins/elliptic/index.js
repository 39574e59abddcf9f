/*
 * Stands where secp256k1@5's index would fall back to elliptic, in silence (docs/decisions/0012). The application
 * loads its bindings.js and uses noble where it has no binary; whoever loads the index by mistake hears of it.
 */
throw new Error("elliptic is not part of this application: load libsecp256k1/bindings.js, or noble");
