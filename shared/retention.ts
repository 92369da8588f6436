export const idempotencyRecordSeconds = 24 * 60 * 60;

/**
 * Minimum retention of feed entries, and the period in which a chunk accepts entries. The maximum
 * retention is twice this period plus two days.
 */
export const feedRetentionSeconds = 30 * 24 * 60 * 60;

/**
 * Retention of the items that replace an erased contact's settings and prevent new settings.
 * Tokens usually expire sooner.
 */
export const erasedSettingsSeconds = 7 * 24 * 60 * 60;

/** Retention of reports, which contain copies of the reported subjects. */
export const reportSeconds = 90 * 24 * 60 * 60;

/** Retention of request counts per person and minute. Keys contain a hash of the person's id. */
export const requestCountSeconds = 10 * 60;

/** Retention of uploads that no message contains. */
export const unsentUploadSeconds = 24 * 60 * 60;

/**
 * Retention of the counts of uploaded bytes per person and day, measured from the start of the day.
 * Keys contain a hash of the person's id.
 */
export const uploadCountSeconds = 2 * 24 * 60 * 60;

/** Maximum age in seconds of a cached contact in a reply. */
export const contactCacheSeconds = 30;

/** Seconds for which an environment may still accept a contact's writes after an erasure. */
export const callerCacheSeconds = 60;
