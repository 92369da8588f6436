/**
 * Returns a template text with the API's AWS address replaced by the local one. Replies of
 * functions are not changed.
 */
export type Relocate = (text: string) => string;

/** Keeps the address in the template. */
export const withoutRelocation: Relocate = (text) => text;
