import { useSignal } from '@preact/signals';
import type { CreateConversationParams } from '../../../client/src/index.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { idPattern } from '../parts/id-pattern.ts';
import { knownIdentities } from '../state/identity.ts';
import { people, sides } from '../state/people.ts';
import type { Person } from '../state/person.ts';
import { startConversation } from './start-conversation.ts';

/** Creates a conversation with a contact, a group, or both. */
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
        <Choices
          label="Contacts"
          ids={contacts}
          chosen={contact.value}
          onChoose={(id) => {
            contact.value = contact.value === id ? '' : id;
          }}
        />
        <Field
          label="Contact id"
          value={contact.value}
          onInput={(id) => {
            contact.value = id;
          }}
          pattern={idPattern}
          required={group.value === ''}
          hint="They need not have used the service before."
        />
        <Choices
          label="Your groups"
          ids={person.identity.groups}
          chosen={group.value}
          onChoose={(id) => {
            group.value = group.value === id ? '' : id;
          }}
        />
        <Field
          label="Group id"
          value={group.value}
          onInput={(id) => {
            group.value = id;
          }}
          pattern={idPattern}
          required={contact.value === ''}
          hint="All users whose token has the group participate; with a contact, the contact too."
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
          The one conversation with this contact, if there is one already
        </label>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            Start
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface ChoicesProps {
  label: string;
  ids: readonly string[];
  chosen: string;
  onChoose: (id: string) => void;
}

const Choices = ({ label, ids, chosen, onChoose }: ChoicesProps) =>
  ids.length === 0 ? null : (
    <fieldset class="choices">
      <legend class="unseen">{label}</legend>
      {ids.map((id) => (
        <button
          key={id}
          type="button"
          class="choice"
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
        >
          {id}
        </button>
      ))}
    </fieldset>
  );
