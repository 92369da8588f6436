import { useSignal } from '@preact/signals';
import type { GroupSnapshot } from '../../../client/src/index.ts';
import { Field } from '../parts/field.tsx';
import { idPattern } from '../parts/id-pattern.ts';
import { knownIdentities } from '../state/identity.ts';
import type { Person } from '../state/person.ts';
import type { ChangeGroup } from './group-failure.ts';

interface Props {
  person: Person;
  groupId: string;
  members: GroupSnapshot['members'];
  change: ChangeGroup;
}

export function AddMember({ person, groupId, members, change }: Props) {
  const contactId = useSignal('');
  const ids = new Set(members.map(({ contact_id }) => contact_id));
  const others = knownIdentities.filter(({ id }) => !ids.has(id));
  const add = (contact_id: string) =>
    change('The contact was not added.', () =>
      person.client.members.put({ group_id: groupId, contact_id }),
    );
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await add(contactId.value.trim())) contactId.value = '';
  };
  return (
    <>
      {others.length > 0 && (
        <fieldset class="choices">
          <legend class="unseen">Add a demo user</legend>
          {others.map(({ id, username }) => (
            <button key={id} type="button" class="choice" onClick={() => add(id)}>
              Add {username}
            </button>
          ))}
        </fieldset>
      )}
      <form class="line-form" onSubmit={submit}>
        <Field
          label="Contact id"
          value={contactId.value}
          onInput={(text) => {
            contactId.value = text;
          }}
          pattern={idPattern}
          required
        />
        <button type="submit" class="button">
          Add
        </button>
      </form>
    </>
  );
}
