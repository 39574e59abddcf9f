/** Headers that the gate hands to the handlers behind it; a client's own are dropped there. */
export const REQUEST_ID = "x-request-id";
export const CLIENT_ADDRESS = "x-client-address";
