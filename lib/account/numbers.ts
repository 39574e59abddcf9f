/** The numbers of accounts: one name, one place, the unit in the name. */

/** A browser that signs in is shown the changes of the account since this long before. */
export const CHANGES_SHOWN_SECONDS = 7 * 24 * 60 * 60;
