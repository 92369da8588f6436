import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Group, GroupMember, GroupSnapshot } from '../../../client/src/index.ts';
import { startConversation } from '../inbox/start-conversation.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import type { Person } from '../state/person.ts';
import { AddMember } from './add-member.tsx';
import { type ChangeGroup, type Failure, toFailure } from './group-failure.ts';
import { MemberRow } from './member-row.tsx';
import { TitleForm } from './title-form.tsx';

interface Props {
  person: Person;
  groupId: string;
  onClose: () => void;
}

export function GroupDialog({ person, groupId, onClose }: Props) {
  const [{ snapshot, store, close }] = useState(() => person.openGroup(groupId));
  useEffect(() => close, [close]);
  const failure = useSignal<Failure | null>(null);
  const { status, error, group, members, role } = snapshot.value;
  const change: ChangeGroup = async (title, action) => {
    failure.value = null;
    try {
      await action();
      store.reload();
      return true;
    } catch (cause) {
      failure.value = toFailure(title, cause);
      return false;
    }
  };
  return (
    <Dialog title={group?.title ?? 'Group'} onClose={onClose}>
      {status === 'loading' && <Skeleton rows={3} />}
      {status === 'failed' && (
        <ErrorNote title="The group was not loaded." error={error} onRetry={store.reload} />
      )}
      {status === 'gone' && (
        <p role="status">This group was deleted, or you are no longer a member.</p>
      )}
      {failure.value && <ErrorNote {...failure.value} />}
      {status === 'ready' && group && role && (
        <div class="group-details">
          {role !== 'member' && <TitleForm person={person} group={group} change={change} />}
          <Members
            person={person}
            groupId={groupId}
            members={members}
            role={role}
            change={change}
          />
          {role !== 'member' && (
            <AddMember person={person} groupId={groupId} members={members} change={change} />
          )}
          <GroupActions
            person={person}
            group={group}
            role={role}
            change={change}
            onClose={onClose}
          />
        </div>
      )}
    </Dialog>
  );
}

interface MembersProps {
  person: Person;
  groupId: string;
  members: GroupSnapshot['members'];
  role: GroupMember['role'];
  change: ChangeGroup;
}

const Members = ({ person, groupId, members, role, change }: MembersProps) => (
  <ul class="members" aria-label="Members">
    {members.map((member) => (
      <MemberRow
        key={member.contact_id}
        person={person}
        groupId={groupId}
        member={member}
        role={role}
        change={change}
      />
    ))}
  </ul>
);

interface ActionsProps {
  person: Person;
  group: Group;
  role: GroupMember['role'];
  change: ChangeGroup;
  onClose: () => void;
}

function GroupActions({ person, group, role, change, onClose }: ActionsProps) {
  const pendingAction = useSignal<'leave' | 'delete' | null>(null);
  const openConversation = () => {
    onClose();
    person.tab.value = 'chats';
    const conversations = person.inbox.peek().conversations;
    const newest = conversations.find(({ group_id }) => group_id === group.id);
    if (newest) person.open(newest.id);
    else startConversation(person, { group_id: group.id });
  };
  const requestConfirmation = (action: 'leave' | 'delete') => () => {
    pendingAction.value = action;
  };
  return (
    <div class="dialog-actions">
      <button
        type="button"
        class="button danger"
        aria-haspopup="dialog"
        onClick={requestConfirmation('leave')}
      >
        Leave
      </button>
      {role === 'owner' && (
        <button
          type="button"
          class="button danger"
          aria-haspopup="dialog"
          onClick={requestConfirmation('delete')}
        >
          Delete
        </button>
      )}
      <button type="button" class="button primary" onClick={openConversation}>
        Chat
      </button>
      {pendingAction.value && (
        <ConfirmEnd person={person} group={group} pendingAction={pendingAction} change={change} />
      )}
    </div>
  );
}

interface ConfirmProps {
  person: Person;
  group: Group;
  pendingAction: Signal<'leave' | 'delete' | null>;
  change: ChangeGroup;
}

function ConfirmEnd({ person, group, pendingAction, change }: ConfirmProps) {
  const { client, identity } = person;
  const leave = () =>
    change('Leaving the group failed.', () =>
      client.members.remove({ group_id: group.id, contact_id: identity.id }),
    );
  const remove = () =>
    change('The group was not deleted.', () => client.groups.delete({ group_id: group.id }));
  const isLeaving = pendingAction.value === 'leave';
  return (
    <Confirm
      title={isLeaving ? 'Leave this group?' : 'Delete this group?'}
      text={
        isLeaving
          ? 'You lose access to its conversations at once. An owner or admin can add you again.'
          : 'This deletes the group and its conversations for all members, permanently.'
      }
      action={isLeaving ? 'Leave it' : 'Delete it'}
      onConfirm={isLeaving ? leave : remove}
      onClose={() => {
        pendingAction.value = null;
      }}
    />
  );
}
