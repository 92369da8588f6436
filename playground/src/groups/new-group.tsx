import { useSignal } from '@preact/signals';
import { startConversation } from '../inbox/start-conversation.ts';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Field } from '../parts/field.tsx';
import { knownIdentities } from '../state/identity.ts';
import type { Person } from '../state/person.ts';
import { type Failure, toFailure } from './group-failure.ts';

export function NewGroup({ person, onClose }: { person: Person; onClose: () => void }) {
  const title = useSignal('');
  const members = useSignal<readonly string[]>([]);
  const failure = useSignal<Failure | null>(null);
  const others = knownIdentities.filter(({ id }) => id !== person.identity.id);
  const toggle = (id: string) => {
    members.value = members.value.includes(id)
      ? members.value.filter((one) => one !== id)
      : [...members.value, id];
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    try {
      const params = { title: title.value, members: [...members.value] };
      const { id } = await person.client.groups.create(params);
      onClose();
      person.tab.value = 'chats';
      await startConversation(person, { group_id: id });
    } catch (error) {
      failure.value = toFailure('The group was not created.', error);
    }
  };
  return (
    <Dialog title="New group" onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Title"
          value={title.value}
          onInput={(text) => {
            title.value = text;
          }}
          required
          maxLength={100}
        />
        <fieldset class="choices">
          <legend>Members</legend>
          {others.map(({ id, username }) => (
            <button
              key={id}
              type="button"
              class="choice"
              aria-pressed={members.value.includes(id)}
              onClick={() => toggle(id)}
            >
              {username}
            </button>
          ))}
        </fieldset>
        <p class="muted">You become the owner, and can add others later.</p>
        {failure.value && <ErrorNote {...failure.value} />}
        <DialogActions submit="Create" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
