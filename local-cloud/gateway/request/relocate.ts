/**
 * Replaces the API's AWS address with the local address in text from the template. Functions'
 * replies are not relocated.
 */
export type Relocate = (text: string) => string;

export const withoutRelocation: Relocate = (text) => text;
