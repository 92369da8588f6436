import type { Client, LiveInbox } from 'messaging-service-client';
import { useGroup } from 'messaging-service-client/react';
import { ActionForm } from './actions.tsx';

export function NewGroup({ client, onOpen }: { client: Client; onOpen: (id: string) => void }) {
  const create = async (form: FormData) => {
    const members = String(form.get('members'))
      .split(/[\s,]+/)
      .filter(Boolean);
    const group = await client.groups.create({ title: String(form.get('title')), members });
    onOpen((await client.conversations.create({ group_id: group.id })).id);
  };
  return (
    <ActionForm action={create} submit="New group">
      <input name="title" aria-label="Title" required />
      <input name="members" aria-label="Members" placeholder="bob, carol" />
    </ActionForm>
  );
}

interface MembersProps {
  client: Client;
  inbox: LiveInbox | null;
  id: string;
}

/** Shows the members of a group. The API rejects changes that the user's role does not allow. */
export function Members({ client, inbox, id }: MembersProps) {
  const [{ members, role }] = useGroup(inbox, id);
  if (role === null) return null;
  const add = (form: FormData) =>
    client.members.put({ group_id: id, contact_id: String(form.get('contact')) });
  const remove = (form: FormData) =>
    client.members.remove({ group_id: id, contact_id: String(form.get('contact')) });
  return (
    <details>
      <summary>{members.length} members</summary>
      {members.map(({ contact_id, role: memberRole }) => (
        <ActionForm key={contact_id} action={remove} submit={`Remove ${contact_id}`}>
          <input type="hidden" name="contact" value={contact_id} />
          {contact_id} ({memberRole})
        </ActionForm>
      ))}
      <ActionForm action={add} submit="Add">
        <input name="contact" aria-label="Contact" required />
      </ActionForm>
    </details>
  );
}
