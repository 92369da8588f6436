/** The local cloud's URL, used in the document. A deployed stage replaces it with its own URL. */
export const documentedBaseUrl = 'http://127.0.0.1:3000';
