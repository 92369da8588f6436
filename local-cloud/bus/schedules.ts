import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { parseFunctionName } from '../account.ts';
import type { FunctionDefinition } from '../functions/function-definition.ts';
import type { Outcome } from '../functions/thread-protocol.ts';
import { createPermissionCheck } from '../stack/lambda-permissions.ts';
import type { Stack } from '../stack/read-stack.ts';
import { createEvent } from './create-event.ts';

const ScheduleProperties = v.object({
  ScheduleExpression: v.string(),
  State: v.optional(v.picklist(['ENABLED', 'DISABLED']), 'ENABLED'),
  Targets: v.optional(v.array(v.looseObject({ Arn: v.string() })), []),
});

interface Schedule {
  ruleArn: string;
  functionArn: string;
  milliseconds: number;
}

/**
 * Returns the enabled schedules of `functions`. Other functions, such as the probe, do not run
 * locally. Throws a Problem if a rule may not invoke its function, or if a schedule is not a rate.
 */
export function getSchedules(stack: Stack, functions: readonly FunctionDefinition[]): Schedule[] {
  const requireInvoke = createPermissionCheck(stack, 'events.amazonaws.com');
  const names = new Set(functions.map(({ name }) => name));
  return stack
    .resources('AWS::Events::Rule', ScheduleProperties, (one) => v.is(ScheduleProperties, one))
    .filter(({ properties }) => properties.State === 'ENABLED')
    .flatMap(({ attributes: { Arn: ruleArn = '' }, properties }) =>
      properties.Targets.flatMap(({ Arn: functionArn }) => {
        if (!names.has(parseFunctionName(functionArn) ?? '')) return [];
        requireInvoke(functionArn, ruleArn);
        return { ruleArn, functionArn, milliseconds: parseRate(properties.ScheduleExpression) };
      }),
    );
}

const unitMilliseconds: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 60 * 60_000,
  day: 24 * 60 * 60_000,
};

/** Returns the interval in milliseconds of an expression such as `rate(5 minutes)`. */
function parseRate(expression: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const milliseconds = unitMilliseconds[unit];
  if (milliseconds) return Number(count) * milliseconds;
  throw new Problem(`The local cloud does not support the schedule ${expression}.`);
}

export interface SchedulesOptions {
  schedules: readonly Schedule[];
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
  log(line: string): void;
}

/**
 * Invokes each scheduled function immediately, and then at its interval until `stop` is called.
 * EventBridge waits one interval first, but the local cloud may not run that long.
 */
export function startSchedules({ schedules, invoke, log }: SchedulesOptions): { stop(): void } {
  const run = async ({ ruleArn, functionArn }: Schedule) => {
    const outcome = await invoke(
      functionArn,
      createEvent({
        ...{ source: 'aws.events', detailType: 'Scheduled Event', detail: {} },
        ...{ resources: [ruleArn], time: Date.now() },
      }),
    );
    if (!outcome.ok) log(`A scheduled invocation failed: ${outcome.failure.errorMessage}`);
  };
  const timers = schedules.map((schedule) => {
    void run(schedule);
    return setInterval(() => void run(schedule), schedule.milliseconds);
  });
  return {
    stop: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
