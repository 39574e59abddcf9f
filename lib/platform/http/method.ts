/** The HTTP methods that the API knows. */
export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
