/**
 * Replaces the API's AWS address in a text of the template with the local address. Replies of
 * functions are not relocated.
 */
export type Relocate = (text: string) => string;

export const withoutRelocation: Relocate = (text) => text;
