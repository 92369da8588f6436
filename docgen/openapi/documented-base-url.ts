/**
 * The URL of the API in the document: that of `npm start`. A deployed stage replaces every
 * occurrence by its own.
 */
export const documentedBaseUrl = 'http://127.0.0.1:3000';
