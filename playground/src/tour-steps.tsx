import { effect, signal } from '@preact/signals';
import { IconButton } from './parts/icon-button.tsx';
import { emptyDraft } from './state/chat.ts';
import { people } from './state/people.ts';
import type { Person } from './state/person.ts';

const storageKey = 'playground-steps';

const isDismissed = signal(localStorage.getItem(storageKey) === 'dismissed');

export function TourSteps() {
  if (isDismissed.value) return null;
  const [left, right] = [people.left.value, people.right.value];
  const isUp = left.network.isUp.value;
  const canSend = left.chat.value !== null && right.chat.value !== null;
  const steps = [
    {
      title: isUp ? 'Cut the network and write' : `Restore ${left.identity.username}’s network`,
      promise: isUp ? 'Your message is sent later, exactly once.' : 'Your messages are sent.',
      isPossible: true,
      run: () => left.setNetwork(!isUp),
    },
    {
      title: 'Send from both at once',
      promise: 'Both see the same order.',
      isPossible: canSend,
      run: () => {
        for (const { chat, identity } of [left, right])
          chat.peek()?.send({ ...emptyDraft, text: `${identity.username}, at once` });
      },
    },
    {
      title: 'Reload while sending',
      promise: 'Nothing is lost or sent twice.',
      isPossible: canSend,
      run: () => reloadWhileSending(left),
    },
  ];
  return (
    <section class="tour" aria-label="Try it">
      <ol>
        {steps.map(({ title, promise, isPossible, run }, n) => (
          <li key={n}>
            <button type="button" class="tour-step" disabled={!isPossible} onClick={run}>
              <span class="tour-number" aria-hidden="true">
                {n + 1}
              </span>
              <span class="tour-text">
                <strong>{title}</strong> <span class="muted">{promise}</span>
              </span>
            </button>
          </li>
        ))}
      </ol>
      <IconButton
        icon="close"
        label="Hide the steps"
        onClick={() => {
          isDismissed.value = true;
          localStorage.setItem(storageKey, 'dismissed');
        }}
      />
    </section>
  );
}

/**
 * Sends a message, and reloads the page as soon as the browser has stored the message, before the
 * request ends.
 */
function reloadWhileSending({ chat }: Person): void {
  const open = chat.peek();
  if (!open) return;
  const before = new Set(open.snapshot.peek().pending.map(({ key }) => key));
  effect(() => {
    if (open.snapshot.value.pending.some(({ key }) => !before.has(key))) location.reload();
  });
  open.send({ ...emptyDraft, text: 'Sent during a reload' });
}
