import { useSignal } from '@preact/signals';
import type { Group } from '../../../client/src/index.ts';
import { Field } from '../parts/field.tsx';
import type { Person } from '../state/person.ts';
import type { ChangeGroup } from './group-failure.ts';

interface Props {
  person: Person;
  group: Group;
  change: ChangeGroup;
}

export function TitleForm({ person, group, change }: Props) {
  const title = useSignal<string | null>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = { group_id: group.id, title: title.value ?? group.title };
    if (await change('The title was not changed.', () => person.client.groups.update(fields)))
      title.value = null;
  };
  return (
    <form class="line-form" onSubmit={submit}>
      <Field
        label="Title"
        value={title.value ?? group.title}
        onInput={(text) => {
          title.value = text;
        }}
        required
        maxLength={100}
      />
      <button type="submit" class="button">
        Rename
      </button>
    </form>
  );
}
