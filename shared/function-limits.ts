/** Memory and time limits of the Lambda functions, used for deployment, deadlines and cost. */
export const functionLimits = {
  /** Well below the gateway's 29 seconds and above the need. Memory includes CPU for start-up. */
  request: { memoryMegabytes: 1024, timeoutSeconds: 10 },
  /** Purge worker. It is never waited for, and mostly waits itself. */
  purge: { memoryMegabytes: 256, timeoutSeconds: 180 },
  /** Scan worker: records one result. */
  scan: { memoryMegabytes: 256, timeoutSeconds: 10 },
  /**
   * Worker of thumbnails: the program that resizes has up to 100 MB of a file and 50 million pixels
   * in memory, and 15 seconds.
   */
  thumbnails: { memoryMegabytes: 1536, timeoutSeconds: 45 },
  /** Live worker: a batch makes about a hundred concurrent calls. */
  live: { memoryMegabytes: 512, timeoutSeconds: 30 },
  /** Webhook sender: an attempt takes up to 15 seconds, and a batch attempts all at once. */
  webhooks: { memoryMegabytes: 512, timeoutSeconds: 30 },
} as const;

/** Maximum write units per second of the purge. A partition accepts 1,000: most remain. */
export const purgeWritesPerSecond = { perPartition: 400, perInvocation: 2000 } as const;
