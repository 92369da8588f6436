/** Memory and time limits of the Lambda functions, used for deployment, deadlines and cost. */
export const functionLimits = {
  /**
   * Functions that serve requests: well below the gateway's 29 seconds and well above their need.
   * More memory includes more CPU, which start-up needs.
   */
  request: { memoryMegabytes: 1024, timeoutSeconds: 10 },
  /** Purge worker. It is never waited for, and mostly waits itself. */
  purge: { memoryMegabytes: 256, timeoutSeconds: 180 },
  /** Live worker: a batch makes about a hundred concurrent calls. */
  live: { memoryMegabytes: 512, timeoutSeconds: 30 },
} as const;

/**
 * Maximum write units per second of the purge worker, for one conversation's partition and for an
 * invocation. A partition accepts 1,000, so a purge leaves more than half to other writers, and
 * concurrent purges use a bounded share of the table.
 */
export const purgeWritesPerSecond = { perPartition: 400, perInvocation: 2000 } as const;
