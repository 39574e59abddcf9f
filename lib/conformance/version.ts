/** The kit's version, as reports name it. */
export const VERSION = "0.1.0";
