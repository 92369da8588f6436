/** The platform's `fetch`, with the URL as a string. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
