import { beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { assumptions } from '../../../commands/cost/assumptions.ts';
import type { Line } from '../../support/handlers/capture-log-lines.ts';
import { captureSampleLines } from '../../support/workers/sample-log-lines.ts';
import '../../support/setup/use-table.ts';

/**
 * Rules for a line with metrics, from the CloudWatch page "Specification: Embedded metric
 * format". CloudWatch silently ignores the metrics of a line that breaks a rule.
 */
const EmbeddedMetrics = v.object({
  // Timestamps must be in milliseconds, and at most two weeks in the past or two hours in the
  // future.
  Timestamp: v.pipe(
    v.number(),
    v.integer(),
    v.check((time) => time > Date.now() - 14 * 86_400_000 && time < Date.now() + 7_200_000),
  ),
  CloudWatchMetrics: v.pipe(
    v.array(
      v.strictObject({
        Namespace: v.pipe(v.string(), v.regex(/^(?!AWS\/)[\w.\-/#: ]{1,255}$/)),
        Dimensions: v.pipe(
          v.array(
            v.pipe(v.array(v.pipe(v.string(), v.regex(/^[!-9;-~][ -~]{0,249}$/))), v.maxLength(30)),
          ),
          v.minLength(1),
        ),
        Metrics: v.pipe(
          v.array(
            v.strictObject({
              Name: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)),
              Unit: v.picklist(['Seconds', 'Milliseconds', 'Count']),
            }),
          ),
          v.minLength(1),
          v.maxLength(100),
        ),
      }),
    ),
    v.minLength(1),
  ),
});

const Dimension = v.pipe(v.string(), v.regex(/^[ -~]*[!-~][ -~]*$/), v.maxLength(1024));
const Value = v.pipe(v.number(), v.finite());

/**
 * Checks that a line has the required format and a value for each of its dimensions and metrics.
 * Returns the names of the metrics.
 */
function metricsIn(line: Line): string[] {
  const { CloudWatchMetrics } = v.parse(EmbeddedMetrics, line._aws);
  return CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) => {
    for (const name of Dimensions.flat()) v.assert(Dimension, line[name]);
    for (const { Name } of Metrics) v.assert(Value, line[Name]);
    return Metrics.map(({ Name }) => Name);
  });
}

let lines: Line[] = [];
beforeAll(async () => {
  lines = await captureSampleLines();
});
const toStableLine = ({
  timestamp,
  request_id,
  invocation,
  milliseconds,
  item,
  cause,
  trace,
  ...rest
}: Line) => rest;

const [ann, bob, eve] = ['49915e0d7d4b', '81b637d8fcd2', '85262adf7451'];
const without = { level: 'INFO', cold_start: 0, conflicts: 0, replayed: 0, fault: 0 };
const use = (table_calls: number, read_units: number, write_units: number) => ({
  table_calls,
  read_units,
  write_units,
});

const linesOf = (operation: string) =>
  lines
    .filter((line) => line.operation === operation)
    .map(({ _aws, ...line }) => ({
      ...toStableLine(line),
      ...(_aws !== undefined && { metrics: metricsIn({ ...line, _aws }) }),
    }));

describe('The log', () => {
  test('has one line per request with operation, caller, status and cost, and marks only the first request as a cold start', () => {
    expect(linesOf('messages/send')).toEqual([
      {
        ...without,
        operation: 'messages/send',
        caller: bob,
        status: 201,
        ...use(3, 0, 7),
        metrics: ['milliseconds', 'write_units'],
      },
      {
        ...without,
        operation: 'messages/send',
        caller: ann,
        status: 201,
        ...use(3, 1, 7),
        metrics: ['milliseconds', 'read_units', 'write_units'],
      },
      {
        ...without,
        operation: 'messages/send',
        caller: ann,
        status: 201,
        replayed: 1,
        ...use(1, 1, 0),
        metrics: ['milliseconds', 'read_units', 'replayed'],
      },
      {
        ...without,
        operation: 'messages/send',
        caller: ann,
        status: 201,
        conflicts: 1,
        ...use(3, 0, 6),
        metrics: ['milliseconds', 'write_units', 'conflicts'],
      },
    ]);
    expect(lines.filter(({ cold_start }) => cold_start === 1)).toEqual([
      expect.objectContaining({ operation: 'conversations/create' }),
    ]);
  });

  test('has the error code of a rejected request, and the error code and cause of a failed request', () => {
    const fault = { level: 'ERROR', status: 503, code: 'unavailable', fault: 1 };
    expect(linesOf('conversations/retrieve')).toEqual([
      {
        ...without,
        operation: 'conversations/retrieve',
        caller: eve,
        status: 404,
        code: 'not_found',
        ...use(2, 2, 0),
        metrics: ['milliseconds', 'read_units'],
      },
      {
        ...without,
        ...fault,
        operation: 'conversations/retrieve',
        caller: ann,
        ...use(1, 0, 0),
        metrics: ['milliseconds', 'fault'],
      },
    ]);
    expect(lines.find(({ status }) => status === 503)?.cause).toMatch(
      /^Error: The table is broken\.\n {4}at /,
    );
  });

  test('has one line for each invocation of the purge worker, and one for each conversation whose purge failed', () => {
    const call = { level: 'INFO', operation: 'purge', cold_start: 0, conflicts: 0, records: 1 };
    expect(linesOf('purge')).toEqual([
      {
        ...call,
        unfinished: 1,
        unfinished_seconds: 7,
        fault: 0,
        ...use(2, 1, 2),
        metrics: ['write_units', 'unfinished_seconds'],
      },
      { level: 'ERROR', operation: 'purge' },
      {
        ...call,
        failed: 1,
        unfinished_seconds: 7,
        fault: 1,
        ...use(1, 0, 0),
        metrics: ['fault', 'unfinished_seconds'],
      },
      {
        ...call,
        purged: 1,
        fault: 0,
        ...use(5, 3, 5),
        metrics: ['write_units'],
      },
    ]);
  });

  test('of the largest request takes 50% to 100% of the bytes that the cost command assumes per request', () => {
    // The gateway's line is at most 500 bytes long. CloudWatch adds 26 bytes to each of the two
    // lines.
    const sizes = lines
      .filter(({ operation, fault }) => String(operation).includes('/') && fault === 0)
      .map((line) => JSON.stringify(line).length + 500 + 2 * 26);
    expect(Math.max(...sizes)).toBeLessThan(assumptions.logBytesPerRequest);
    expect(Math.max(...sizes)).toBeGreaterThan(assumptions.logBytesPerRequest / 2);
  });

  test('has the root id of the trace header in each line with metrics', () => {
    expect(lines.filter(({ _aws }) => _aws).map(({ trace }) => trace)).toEqual(
      lines.filter(({ _aws }) => _aws).map(() => '1-abc-def'),
    );
  });

  test('uses the stage’s namespace for all metrics, and the operation as their only dimension', () => {
    const named = lines.flatMap(({ _aws }) =>
      _aws ? v.parse(EmbeddedMetrics, _aws).CloudWatchMetrics : [],
    );
    expect(named.map(({ Namespace, Dimensions }) => ({ Namespace, Dimensions }))).toEqual(
      named.map(() => ({ Namespace: 'messaging-test', Dimensions: [['operation']] })),
    );
    expect(named.length).toBeGreaterThan(8);
  });
});
