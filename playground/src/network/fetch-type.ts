/** As the platform's, by one address. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
