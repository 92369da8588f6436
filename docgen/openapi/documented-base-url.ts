/**
 * The address of the API in the document: that of `npm start`. What a stage serves of the document
 * has the stage's own in its place, wherever it stands.
 */
export const documentedBaseUrl = 'http://127.0.0.1:3000';
