import type { Session } from '../session/session.ts';
import { requestUnchecked } from './any-operation.ts';
import { blockContact } from './block-contacts.ts';
import {
  changeGroups,
  listAll,
  listRecent,
  pinMessage,
  setFlags,
  setLastRead,
} from './conversation-settings.ts';
import { create, removeConversation } from './create-and-delete.ts';
import { browseBusinesses } from './list-businesses.ts';
import { pollConversation } from './poll-conversation.ts';
import {
  readAcross,
  readConversation,
  requestContact,
  requestConversation,
  requestMessage,
  requestReaders,
} from './read-messages.ts';
import { burst } from './send-burst.ts';
import { shareFiles } from './share-files.ts';
import { tryForeignConversation } from './unauthorized-requests.ts';
import { changeMembers } from './user-groups.ts';
import { edit, react, removeMessage, reuseKey, send, sendOnce } from './write-messages.ts';

type Action = (session: Session) => Promise<void>;

const actionWeights: readonly [number, Action][] = [
  [20, send],
  [1, burst],
  [6, sendOnce],
  [6, shareFiles],
  [0.5, reuseKey],
  [10, react],
  [5, edit],
  [6, removeMessage],
  [3, create],
  [2, removeConversation],
  [10, readConversation],
  [5, requestMessage],
  [4, requestConversation],
  [4, requestContact],
  [2, requestReaders],
  [4, readAcross],
  [4, listRecent],
  [5, listAll],
  [5, setFlags],
  [3, pinMessage],
  [2, setLastRead],
  [0.5, changeGroups],
  [3, tryForeignConversation],
  [2, browseBusinesses],
  [2, blockContact],
  [2, changeMembers],
  [1, requestUnchecked],
];

const maxPauseMilliseconds = 400;

/** Runs a person's tasks until the traffic stops, while a second device polls conversations. */
export async function runSession(session: Session, device: Session): Promise<void> {
  await Promise.all([act(session), pollConversation(device)]);
}

async function act(session: Session): Promise<void> {
  const { random, think, stopping } = session;
  for (let first = 0; first < 3; first++) await create(session);
  while (!stopping.aborted) {
    await chooseAction(session)(session);
    await think(random.integer(0, maxPauseMilliseconds));
  }
}

function chooseAction({ random }: Session): Action {
  const all = actionWeights.reduce((sum, [weight]) => sum + weight, 0);
  let remaining = random.fraction() * all;
  return (
    actionWeights.find(([weight]) => {
      remaining -= weight;
      return remaining < 0;
    })?.[1] ?? send
  );
}
