/**
 * The API's URL in the document, as `npm start` serves it. A deployed stage replaces every
 * occurrence with its own URL.
 */
export const documentedBaseUrl = 'http://127.0.0.1:3000';
