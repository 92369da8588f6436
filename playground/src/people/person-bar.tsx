import { useSignal } from '@preact/signals';
import type { LiveStatus } from '../../../client/src/index.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { Switch } from '../parts/switch.tsx';
import type { Person } from '../state/person.ts';
import { PersonDialog } from './person-dialog.tsx';

const statusTexts: Record<LiveStatus, string> = {
  connecting: 'Connecting',
  live: 'Live',
  polling: 'Polling',
  'catching-up': 'Catching up',
  offline: 'Offline',
  'signed-out': 'Signed out',
  failed: 'Not live',
  closed: 'Closed',
};

export function PersonBar({ person }: { person: Person }) {
  const { identity, network, inbox } = person;
  const isChoosing = useSignal(false);
  const isUp = network.isUp.value;
  const status = isUp ? inbox.value.status : 'offline';
  return (
    <header class="person-bar">
      <button
        type="button"
        class="who"
        aria-haspopup="dialog"
        title="Choose a user"
        onClick={() => {
          isChoosing.value = true;
        }}
      >
        <Avatar id={identity.id} name={identity.username} />
        <span class="who-text">
          <span class="who-name">
            <span class="who-word">{identity.username}</span> <Icon name="down" />
          </span>
          <span class="who-id">{[identity.id, ...identity.groups].join(' · ')}</span>
        </span>
      </button>
      <span class="status" data-status={status} role="status">
        <span class="status-dot" aria-hidden="true" />
        {isUp ? statusTexts[inbox.value.status] : 'Offline'}
      </span>
      <Switch label="Network" isOn={isUp} onChange={(isOn) => person.setNetwork(isOn)} />
      {isChoosing.value && (
        <PersonDialog
          person={person}
          onClose={() => {
            isChoosing.value = false;
          }}
        />
      )}
    </header>
  );
}
