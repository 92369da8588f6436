/** Lifetimes outside the table that both the stack and other code use. */

/**
 * Lifetime of a user pool's tokens. The removal of a group membership or an account takes effect
 * when existing tokens expire.
 */
export const tokenHours = 1;
/**
 * How long the gateway caches the authorizer's decision. Every request also checks the token's
 * expiry.
 */
export const authorizerCacheMinutes = 5;
/** Lifetime of refresh tokens, with which an app gets new tokens without a password. */
export const refreshTokenDays = 30;
/** Interval at which expired uploads are removed. Their files follow within a few minutes. */
export const expiredUploadMinutes = 15;
/** How long queues retain webhook deliveries, and workers' abandoned events without content. */
export const failureQueueDays = 14;
/** AWS's default for point-in-time recovery, and for the backup of a deleted table. */
export const recoveryDays = 35;
/** Fixed by AWS: how long the table's stream retains the images of changed items. */
export const streamHours = 24;
/** Fixed by AWS: retention of request traces, which contain no ids or messages of users. */
export const traceDays = 30;
