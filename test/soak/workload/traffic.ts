import { requestUnmodelled } from './any-operation.ts';
import {
  changeGroups,
  listAll,
  listRecent,
  pinMessage,
  reportRead,
  setFlags,
} from './arranging.ts';
import { attemptAnywhere } from './attempts.ts';
import { browse } from './browsing.ts';
import { burst } from './burst.ts';
import { follow } from './follow.ts';
import { create, removeConversation } from './making.ts';
import type { Session } from './person.ts';
import {
  lookAtContact,
  lookAtConversation,
  lookAtMessage,
  readAcross,
  readConversation,
} from './reading.ts';
import { edit, react, removeMessage, reuseKey, send, sendOnce } from './writing.ts';

type Action = (session: Session) => Promise<void>;

/** What people do, and how often of a hundred times. */
const habits: readonly [number, Action][] = [
  [26, send],
  [1, burst],
  [6, sendOnce],
  [0.5, reuseKey],
  [10, react],
  [5, edit],
  [6, removeMessage],
  [3, create],
  [2, removeConversation],
  [10, readConversation],
  [5, lookAtMessage],
  [4, lookAtConversation],
  [4, lookAtContact],
  [4, readAcross],
  [4, listRecent],
  [5, listAll],
  [5, setFlags],
  [3, pinMessage],
  [2, reportRead],
  [0.5, changeGroups],
  [3, attemptAnywhere],
  [2, browse],
  [2, requestUnmodelled],
];

const longestThought = 400;

/** What one person does until it is time to stop; meanwhile a second device of theirs follows conversations. */
export async function live(session: Session, device: Session): Promise<void> {
  await Promise.all([act(session), follow(device)]);
}

async function act(session: Session): Promise<void> {
  const { random, think, stopping } = session;
  for (let first = 0; first < 3; first++) await create(session);
  while (!stopping.aborted) {
    await chosen(session)(session);
    await think(random.integer(0, longestThought));
  }
}

function chosen({ random }: Session): Action {
  const all = habits.reduce((sum, [weight]) => sum + weight, 0);
  let left = random.fraction() * all;
  return (
    habits.find(([weight]) => {
      left -= weight;
      return left < 0;
    })?.[1] ?? send
  );
}
