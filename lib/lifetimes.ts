/** Lifetimes of data and tokens outside the table, shared by the stack and other code. */

/**
 * Lifetime of a user pool's ID and access tokens. If the operator deletes an account or removes a
 * user from a group, existing tokens stay valid until they expire.
 */
export const tokenHours = 1;
/**
 * Lifetime of the authorizer's decision in the gateway's cache. Handlers also check the token's
 * expiry.
 */
export const authorizerCacheMinutes = 5;
/** Lifetime of refresh tokens, with which an app gets new tokens without a password. */
export const refreshTokenDays = 30;
/**
 * Interval at which the purge worker removes the items of expired uploads. The worker removes an
 * upload's file a few minutes after it removes the item.
 */
export const expiredUploadMinutes = 15;
/**
 * How long queues retain webhook deliveries and abandoned events. Only deliveries contain message
 * text.
 */
export const failureQueueDays = 14;
/**
 * Default recovery window of point-in-time recovery. AWS also retains a deleted table's backup for
 * this time.
 */
export const recoveryDays = 35;
/** The table's stream retains the images of changed items for this time, which AWS sets. */
export const streamHours = 24;
/**
 * Request traces are retained for this time, which AWS sets. A trace contains the URL with its ids,
 * and the client's address, but no body.
 */
export const traceDays = 30;
