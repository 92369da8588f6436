import { signal } from '@preact/signals';
import { IconButton } from './parts/icon-button.tsx';
import { people, sides } from './state/people.ts';
import type { Person } from './state/person.ts';

const storageKey = 'playground-steps';

const isDismissed = signal(localStorage.getItem(storageKey) === 'dismissed');

/** Three steps that show what the API promises. Once dismissed, they stay hidden. */
export function TourSteps() {
  if (isDismissed.value) return null;
  const { left, right } = people;
  const name = left.value.identity.username;
  const isUp = left.value.network.isUp.value;
  const steps = [
    {
      title: isUp ? 'Cut the network and write' : `Restore ${name}’s network`,
      promise: isUp ? 'It is sent later, once.' : 'Write first: it waits here.',
      run: () => left.peek().setNetwork(!isUp),
    },
    {
      title: 'Send from both at once',
      promise: 'Both see the same order.',
      run: () => [left, right].forEach((person, n) => sendFrom(person.peek(), n)),
    },
    {
      title: 'Reload in the middle',
      promise: 'Nothing is lost or sent twice.',
      run: () => {
        for (const side of sides) sendFrom(people[side].peek(), 2);
        location.reload();
      },
    },
  ];
  return (
    <section class="tour" aria-label="Try it">
      <ol>
        {steps.map(({ title, promise, run }, n) => (
          <li key={n}>
            <button type="button" class="tour-step" onClick={run}>
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

const texts = ['Left, right now', 'Right, right now', 'Sent while the page reloads'];

/** Sends a text in the open conversation. */
function sendFrom(person: Person, text: number): void {
  person.chat.peek()?.send(texts[text] ?? '', []);
}
