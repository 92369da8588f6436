/** The platform's `fetch`, with a URL as text. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
