/** Memory and time limits of the Lambda functions, for deployment, deadlines and cost estimates. */
export const functionLimits = {
  /**
   * Functions of operations. The time limit is far below the gateway's 29 seconds, and longer than
   * requests take. More memory means more CPU for the start-up.
   */
  request: { memoryMegabytes: 1024, timeoutSeconds: 10 },
  /** Purge worker. The worker is idle most of the time, and no request waits for its result. */
  purge: { memoryMegabytes: 256, timeoutSeconds: 180 },
  /** Scan worker: records one scan result. */
  scan: { memoryMegabytes: 256, timeoutSeconds: 10 },
  /**
   * Thumbnail worker: the resize program runs for up to 15 seconds, with a file of up to 100 MB and
   * 50 million pixels in memory.
   */
  thumbnails: { memoryMegabytes: 1536, timeoutSeconds: 45 },
  /** Live worker: a batch makes about a hundred concurrent calls. */
  live: { memoryMegabytes: 512, timeoutSeconds: 30 },
  /**
   * Webhook sender: an attempt takes up to 15 seconds, and the attempts of a batch are concurrent.
   */
  webhooks: { memoryMegabytes: 512, timeoutSeconds: 30 },
} as const;

/**
 * Maximum write units per second of the purge worker. A partition accepts 1,000 write units per
 * second in total.
 */
export const purgeWritesPerSecond = { perPartition: 400, perInvocation: 2000 } as const;
