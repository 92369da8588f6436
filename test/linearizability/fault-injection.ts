import type { OnTableCall, TableCall, TableFault } from '../../local-cloud/table/table-proxy.ts';
import { createRandom } from '../soak/client/seeded-random.ts';
import { sleep } from './recorder/sleep.ts';

interface FaultWeight {
  weight: number;
  /** Minimum and maximum delay in milliseconds. */
  delay?: readonly [number, number];
  fault?: TableFault;
}

/**
 * Time limit of one attempt: four times the limit on AWS, because on a busy machine the table's
 * server may pause for seconds.
 */
export const attemptMilliseconds = 4000;

/** Delays that exceed the time limit of one attempt. The table still executes the call. */
const timeoutMilliseconds = [attemptMilliseconds + 20, attemptMilliseconds + 300] as const;

const calls: readonly FaultWeight[] = [
  { weight: 600 },
  { weight: 300, delay: [1, 15] },
  { weight: 80, delay: [15, 60] },
  { weight: 6, fault: 'lose request' },
  { weight: 6, fault: 'lose reply' },
  { weight: 4, fault: 'throttle' },
  { weight: 1, delay: timeoutMilliseconds },
];

/**
 * Faults in message writes after the sequence number is reserved. Delays often exceed the time
 * that readers wait before they fill a gap.
 */
const messages: readonly FaultWeight[] = [
  { weight: 500 },
  { weight: 200, delay: [1, 15] },
  { weight: 250, delay: [35, 120] },
  { weight: 15, fault: 'lose request' },
  { weight: 20, fault: 'lose reply' },
  { weight: 5, fault: 'throttle' },
  { weight: 4, fault: 'hang' },
  { weight: 4, delay: timeoutMilliseconds },
];

/**
 * Faults in deletions. More replies are lost than in other calls, to test whether a retry detects
 * that an earlier attempt deleted the item.
 */
const deletions: readonly FaultWeight[] = [...calls, { weight: 100, fault: 'lose reply' }];

/**
 * Faults when lists update the read position: only delays and lost replies. If a request did not
 * store the read position, the listed messages would count as unread, which the model rules out.
 */
const openings: readonly FaultWeight[] = calls.filter(
  ({ fault = 'lose reply' }) => fault === 'lose reply',
);

/**
 * Intervals in which all message writes fail. `probability` is the chance that a message write
 * starts an interval.
 */
const blackout = { probability: 0.004, milliseconds: 400 };

export interface FaultInjection {
  onTableCall: OnTableCall;
  /** Number of calls in which readers fill gaps with tombstones. */
  gapFills(): number;
}

export function injectFaults(seed: number): FaultInjection {
  const { fraction: chance } = createRandom(seed, 'faults');
  let blackoutEnd = 0;
  let gapFills = 0;
  return {
    gapFills: () => gapFills,
    onTableCall: async (call) => {
      if (isGapFill(call)) gapFills += 1;
      const isMessage = putsMessage(call);
      if (isMessage && chance() < blackout.probability) {
        blackoutEnd = performance.now() + blackout.milliseconds;
      }
      if (isMessage && performance.now() < blackoutEnd) return 'lose request';
      const chances = isMessage ? messages : getFaultWeights(call);
      const { delay, fault } = drawFault(chances, chance());
      if (delay) await sleep(delay[0] + chance() * (delay[1] - delay[0]));
      return fault;
    },
  };
}

const getFaultWeights = (call: TableCall) =>
  isDeletion(call) ? deletions : isOpening(call) ? openings : calls;

const isOpening = ({ functionId, operation }: TableCall) =>
  functionId.startsWith('MessagesList') && operation === 'UpdateItem';

const putsMessage = ({ functionId, operation }: TableCall) =>
  functionId.startsWith('MessagesSend') && ['PutItem', 'TransactWriteItems'].includes(operation);

const isDeletion = ({ functionId, operation }: TableCall) =>
  /^(Messages|Conversations)Delete/.test(functionId) && operation === 'UpdateItem';

/** Reports whether the call fills a gap. Readers put items only to fill gaps. */
const isGapFill = ({ functionId, operation }: TableCall) =>
  /^(MessagesList|ConversationsUpdate)/.test(functionId) && operation === 'PutItem';

/** Returns the fault that the random number, from 0 to 1, selects. */
function drawFault(chances: readonly FaultWeight[], draw: number): FaultWeight {
  let left = draw * chances.reduce((sum, { weight }) => sum + weight, 0);
  for (const chance of chances) {
    left -= chance.weight;
    if (left < 0) return chance;
  }
  return { weight: 0 };
}
