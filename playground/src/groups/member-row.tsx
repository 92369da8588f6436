import type { GroupMember } from '../../../client/src/index.ts';
import { Avatar } from '../parts/avatar.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { findIdentity } from '../state/identity.ts';
import type { Person } from '../state/person.ts';
import type { ChangeGroup } from './group-failure.ts';

interface Props {
  person: Person;
  groupId: string;
  member: GroupMember;
  /** The user's own role. */
  role: GroupMember['role'];
  change: ChangeGroup;
}

const roleNames = { owner: 'Owner', admin: 'Admin', member: 'Member' } as const;

const isRole = (value: string): value is GroupMember['role'] => value in roleNames;

export function MemberRow({ person, groupId, member, role, change }: Props) {
  const { contact_id } = member;
  const { username } = findIdentity(contact_id);
  const isOwn = contact_id === person.identity.id;
  const mayChange = role === 'owner' || (role === 'admin' && member.role !== 'owner');
  const ids = { group_id: groupId, contact_id };
  return (
    <li class="member">
      <Avatar id={contact_id} name={username} size="small" />
      <span class="member-name">{isOwn ? 'You' : username}</span>
      {mayChange ? (
        <RoleSelect
          name={isOwn ? 'You' : username}
          role={member.role}
          isOwner={role === 'owner'}
          onChange={(next) =>
            change('The role was not changed.', () =>
              person.client.members.put({ ...ids, role: next }),
            )
          }
        />
      ) : (
        <span class="tag">{roleNames[member.role]}</span>
      )}
      {mayChange && !isOwn && (
        <IconButton
          icon="close"
          label={`Remove ${username}`}
          danger
          onClick={() => {
            change(`${username} was not removed.`, () => person.client.members.remove(ids));
          }}
        />
      )}
    </li>
  );
}

interface RoleProps {
  name: string;
  role: GroupMember['role'];
  /** Whether the user is an owner. Only owners may make other members owners. */
  isOwner: boolean;
  onChange: (role: GroupMember['role']) => Promise<boolean>;
}

const RoleSelect = ({ name, role, isOwner, onChange }: RoleProps) => (
  <select
    class="role"
    aria-label={`Role: ${name}`}
    value={role}
    onChange={async (event) => {
      const select = event.currentTarget;
      // If the API rejects the change, select the previous role again.
      if (isRole(select.value) && !(await onChange(select.value))) select.value = role;
    }}
  >
    {Object.entries(roleNames)
      .filter(([value]) => isOwner || value !== 'owner')
      .map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
  </select>
);
