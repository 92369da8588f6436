/** The local cloud's URL, used in openapi.json. A deployed stage uses its own URL instead. */
export const documentedBaseUrl = 'http://127.0.0.1:3000';
