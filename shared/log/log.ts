/** What a line says: plain facts, and never a token, a message's text, a username, a phone number or an idempotency key. */
export interface LogLine {
  level: 'INFO' | 'ERROR';
  [fact: string]: unknown;
}

/** Where lines go: tests put their own function here to read them. */
export const logOutput = {
  print: (line: string): void => {
    process.stdout.write(line);
  },
};

/**
 * Writes a line, past the console: in Lambda's JSON log format `console` puts an object under `message`, and CloudWatch
 * looks for metrics at the root of a line only. What is written to stdout as JSON stays as it is, and Lambda drops it by
 * its `level` when it has a `timestamp` too.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client, formatJsonMessage: what the console does
 * @see https://github.com/awslabs/aws-embedded-metrics-node/pull/158 and
 *   https://github.com/aws-powertools/powertools-lambda-typescript/pull/1786: how others lost metrics by it
 */
export function log({ level, ...facts }: LogLine): void {
  const timestamp = new Date().toISOString();
  logOutput.print(`${JSON.stringify({ timestamp, level, ...facts })}\n`);
}
