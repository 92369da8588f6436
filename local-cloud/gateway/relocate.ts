/**
 * A text of the template, with the API's address on this machine in the place of the one that it has in the cloud. What
 * functions answer is not touched: they have seen the request, and know.
 */
export type Relocate = (text: string) => string;

/** As the template has it. */
export const unmoved: Relocate = (text) => text;
