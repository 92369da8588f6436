/** How large the Lambda functions are, and how long they may run: by it they are deployed, work, and are paid for. */
export const functionLimits = {
  /**
   * Of what serves requests, operations and the authorizer: well inside the gateway's 29 seconds, well above what they
   * need. With more memory comes more of a processor, which is what start-up takes.
   */
  request: { memoryMegabytes: 1024, timeoutSeconds: 10 },
  /** Of the purge worker. Nobody waits for it, and it mostly waits itself. */
  purge: { memoryMegabytes: 256, timeoutSeconds: 180 },
  /** Of the live worker: a batch is some hundred calls, side by side. */
  live: { memoryMegabytes: 512, timeoutSeconds: 30 },
} as const;

/**
 * Write units a second that the purge worker uses at most: of one conversation's partition, and of the table by all that
 * one invocation works on. A partition takes a thousand, so a purge leaves more than half of them to whoever else is in
 * it; and of all that the table takes, many purges at once have a bounded part.
 */
export const purgeWritesPerSecond = { ofOnePartition: 400, ofTheTable: 2000 } as const;
