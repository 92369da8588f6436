const megabyte = 1024 * 1024;

/** Limits of uploaded files. */
export const uploadLimits = {
  nameCharacters: 255,
  typeCharacters: 127,
  fileBytes: 100 * megabyte,
  /** Of a person and a day (UTC), also if the files are not sent. */
  bytesPerDay: 1024 * megabyte,
  /** Of these bytes, what a smaller file counts as: scans are billed by file too. */
  minCountedBytes: megabyte / 4,
} as const;
