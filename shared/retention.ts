export const idempotencyRecordSeconds = 24 * 60 * 60;

/**
 * Minimum retention of feed entries, and the time for which a chunk accepts entries. The maximum
 * retention is twice this time plus two days.
 */
export const feedRetentionSeconds = 30 * 24 * 60 * 60;

/**
 * Items that replace an erased contact's settings and prevent new ones. Tokens usually expire
 * sooner.
 */
export const erasedSettingsSeconds = 7 * 24 * 60 * 60;

/** Reports with their copies of the reported subject. */
export const reportSeconds = 90 * 24 * 60 * 60;

/** Request counts per person and minute. The key contains a hash of the person's id. */
export const requestCountSeconds = 10 * 60;

/** Uploads that no message contains. */
export const unsentUploadSeconds = 24 * 60 * 60;

/**
 * Counts of uploaded bytes per person and day, from the start of the day. The key contains a hash
 * of the person's id.
 */
export const uploadCountSeconds = 2 * 24 * 60 * 60;

/** Maximum age of a cached contact in a reply. */
export const contactCacheSeconds = 30;
