/**
 * Fields of a log line. The fields must not contain tokens, message texts, usernames, phone numbers
 * or idempotency keys.
 */
export interface LogLine {
  level: 'INFO' | 'ERROR';
  [fact: string]: unknown;
}

/** Output of log lines; tests replace it. */
export const logOutput = {
  print: (line: string): void => {
    process.stdout.write(line);
  },
};

/**
 * Writes a log line to stdout, not through the console. In Lambda's JSON format, `console` nests an
 * object under `message`, but CloudWatch finds metrics only at the root of a line. Lambda passes
 * JSON on stdout unchanged and filters it by `level` if it has a `timestamp`.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client, formatJsonMessage
 * @see https://github.com/awslabs/aws-embedded-metrics-node/pull/158 and
 * https://github.com/aws-powertools/powertools-lambda-typescript/pull/1786: metrics lost through
 * the console
 */
export function log({ level, ...facts }: LogLine): void {
  const timestamp = new Date().toISOString();
  logOutput.print(`${JSON.stringify({ timestamp, level, ...facts })}\n`);
}
