/** How long what is outside the table lives, where others than the stack have to know it too. */

/** Tokens of a stage's user pool: for so long somebody who was taken out of a group, or whose account was closed, is still let in. */
export const tokenHours = 1;
/** The gateway keeps what the authorizer has said of a token; its end is checked by every request all the same. */
export const authorizedMinutes = 5;
/** By what an app gets new tokens without a password. */
export const refreshTokenDays = 30;
/** What a worker has given up waits so long in its queue: which items it was about, not what is in them. */
export const failureDays = 14;
/** AWS's own, unless a table says another: for so long it can be taken back to any second, and for so long it is kept once it is deleted. */
export const recoveryDays = 35;
/** AWS's own: so long the table's stream has what an item was before a change, and after it. */
export const streamHours = 24;
/** AWS's own: traces of requests, of which none has an id or a text of a person. */
export const traceDays = 30;
