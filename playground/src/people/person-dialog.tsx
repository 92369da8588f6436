import { useSignal } from '@preact/signals';
import { Avatar } from '../parts/avatar.tsx';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { idPattern } from '../parts/id-pattern.ts';
import { findIdentity, type Identity, knownGroups, knownIdentities } from '../state/identity.ts';
import { replacePerson } from '../state/people.ts';
import type { Person } from '../state/person.ts';

export function PersonDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const chosen = useSignal<Identity>(person.identity);
  const groups = useSignal(person.identity.groups.join(', '));
  const chooseIdentity = (identity: Identity) => {
    chosen.value = identity;
    groups.value = identity.groups.join(', ');
  };
  const change = (fields: Partial<Identity>) => {
    chosen.value = { ...chosen.value, ...fields };
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const names = groups.value.split(/[\s,]+/).filter(Boolean);
    onClose();
    replacePerson(person.side, { ...chosen.value, groups: names });
  };
  return (
    <Dialog title="Choose a user" onClose={onClose}>
      <form onSubmit={submit}>
        <p class="muted">
          The identity provider of this local cloud issues a token with these values.
        </p>
        <DemoUsers chosen={chosen.value.id} onChoose={chooseIdentity} />
        <Field
          label="Contact id"
          value={chosen.value.id}
          onInput={(id) =>
            change(knownIdentities.some((one) => one.id === id) ? findIdentity(id) : { id })
          }
          required
          pattern={idPattern}
          hint="The token’s sub: letters, digits and _ . : @ | + = , -"
        />
        <Field
          label="Name"
          value={chosen.value.username}
          onInput={(username) => change({ username })}
          required
          maxLength={128}
        />
        <Field
          label="Groups"
          value={groups.value}
          onInput={(text) => {
            groups.value = text;
          }}
          hint={`Separated by commas, such as ${knownGroups.join(', ')}`}
        />
        <DialogActions
          submit={`Continue as ${chosen.value.username || 'this user'}`}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}

interface DemoUsersProps {
  chosen: string;
  onChoose: (identity: Identity) => void;
}

const DemoUsers = ({ chosen, onChoose }: DemoUsersProps) => (
  <fieldset class="choices">
    <legend class="unseen">Demo users</legend>
    {knownIdentities.map((identity) => (
      <button
        key={identity.id}
        type="button"
        class="choice"
        aria-pressed={identity.id === chosen}
        onClick={() => onChoose(identity)}
      >
        <Avatar id={identity.id} name={identity.username} size="small" />
        {identity.username}
      </button>
    ))}
  </fieldset>
);
