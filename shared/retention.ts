/** Retention of data that the service does not retain permanently. */

export const idempotencyRecordSeconds = 24 * 60 * 60;

/**
 * Minimum retention of feed entries, and the time in which a chunk accepts entries. The maximum
 * retention is twice that plus two days.
 */
export const feedRetentionSeconds = 30 * 24 * 60 * 60;

/**
 * Items that replace the settings of an erased contact, for longer than a token is usually valid.
 */
export const erasedSettingsSeconds = 7 * 24 * 60 * 60;

/** Reports with their copy of the reported subject, from their creation. */
export const reportSeconds = 90 * 24 * 60 * 60;

/** Counts of a person's requests in a minute, by a hash of the id. */
export const requestCountSeconds = 10 * 60;

/** Uploads that no message contains. */
export const unsentUploadSeconds = 24 * 60 * 60;

/**
 * Counts of the bytes that a person uploads in a day, by a hash of the id, from the start of the
 * day.
 */
export const uploadCountSeconds = 2 * 24 * 60 * 60;

/** Maximum age of a cached contact in a reply. */
export const contactCacheSeconds = 30;
