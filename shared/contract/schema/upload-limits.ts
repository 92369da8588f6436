const megabyte = 1024 * 1024;

export const uploadLimits = {
  nameCharacters: 255,
  typeCharacters: 127,
  fileBytes: 100 * megabyte,
  /** Bytes per person and day (UTC), including files that are never sent. */
  bytesPerDay: 1024 * megabyte,
  /** Minimum number of bytes to count per file, because scans are also billed per file. */
  minCountedBytes: megabyte / 4,
} as const;
