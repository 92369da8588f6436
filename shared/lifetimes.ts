/** How long the service keeps what it does not keep for good. */

/** What a request with an Idempotency-Key made, so that its first reply can be given again. */
export const requestRecordSeconds = 24 * 60 * 60;

/** What has happened, in a feed: at least; at most twice that and two days, and as long as DynamoDB takes to remove it. */
export const feedSeconds = 30 * 24 * 60 * 60;

/** Contacts are shown as they are, or were so long ago. */
export const contactSeconds = 30;
