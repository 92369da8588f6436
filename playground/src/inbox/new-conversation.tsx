import { type Signal, useSignal } from '@preact/signals';
import type { CreateConversationParams } from '../../../client/src/index.ts';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { idPattern } from '../parts/id-pattern.ts';
import { knownIdentities } from '../state/identity.ts';
import { people, sides } from '../state/people.ts';
import type { Person } from '../state/person.ts';
import { startConversation } from './start-conversation.ts';

export function NewConversation({ person, onClose }: { person: Person; onClose: () => void }) {
  const contact = useSignal('');
  const group = useSignal('');
  const isDistinct = useSignal(true);
  const onSides = sides.map((side) => people[side].value.identity.id);
  const contacts = [...new Set([...onSides, ...knownIdentities.map(({ id }) => id)])].filter(
    (id) => id !== person.identity.id,
  );
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    onClose();
    const [contact_id, group_id] = [contact.value.trim(), group.value.trim()];
    const isDirect = group_id === '';
    const fields: CreateConversationParams = isDirect
      ? { contact_id, ...(isDistinct.value && { distinct: true }) }
      : { group_id, ...(contact_id !== '' && { contact_id }) };
    await startConversation(person, fields);
  };
  return (
    <Dialog title="New conversation" onClose={onClose}>
      <form onSubmit={submit}>
        <IdField
          label="Contact id"
          choices="Contacts"
          ids={contacts}
          id={contact}
          required={group.value === ''}
          hint="The contact need not have used the service before."
        />
        <IdField
          label="Group id"
          choices="Your groups"
          ids={person.identity.groups}
          id={group}
          required={contact.value === ''}
          hint="The participants are the group’s members and, if given, the contact."
        />
        <label class="check">
          <input
            type="checkbox"
            checked={isDistinct.value && group.value === ''}
            disabled={group.value !== ''}
            onChange={(event) => {
              isDistinct.value = event.currentTarget.checked;
            }}
          />
          Use the existing conversation with this contact, if there is one
        </label>
        <DialogActions submit="Start" onCancel={onClose} />
      </form>
    </Dialog>
  );
}

interface IdFieldProps {
  label: string;
  /** Label for the known ids. */
  choices: string;
  ids: readonly string[];
  id: Signal<string>;
  required: boolean;
  hint: string;
}

const IdField = ({ label, choices, ids, id, required, hint }: IdFieldProps) => (
  <>
    {ids.length > 0 && (
      <fieldset class="choices">
        <legend class="unseen">{choices}</legend>
        {ids.map((one) => (
          <button
            key={one}
            type="button"
            class="choice"
            aria-pressed={one === id.value}
            onClick={() => {
              id.value = id.value === one ? '' : one;
            }}
          >
            {one}
          </button>
        ))}
      </fieldset>
    )}
    <Field
      label={label}
      value={id.value}
      onInput={(text) => {
        id.value = text;
      }}
      pattern={idPattern}
      required={required}
      hint={hint}
    />
  </>
);
