import type { Conversation, UpdateConversation } from '../../../client/src/index.ts';
import { IconButton } from '../parts/icon-button.tsx';

interface Props {
  conversation: Conversation;
  update: (fields: UpdateConversation) => void;
  /** For the staff of a business: assigns the conversation to the user, or unassigns it. */
  onAssign: (() => void) | undefined;
  /** For a group that a user created: shows its members. */
  onShowGroup: (() => void) | undefined;
  /**
   * Whether the user has blocked the other contact. Null until the block state is loaded, and if
   * the conversation has no direct contact.
   */
  isBlocking: boolean | null;
  onBlock: () => void;
  onDelete: () => void;
}

export const ChatActions = ({
  conversation,
  update,
  onAssign,
  onShowGroup,
  isBlocking,
  onBlock,
  onDelete,
}: Props) => (
  <div class="chat-actions">
    <IconButton
      icon="pin"
      label="Pin the conversation"
      pressed={conversation.is_pinned}
      onClick={() => update({ is_pinned: !conversation.is_pinned })}
    />
    <IconButton
      icon="muted"
      label="Mute the conversation"
      pressed={conversation.is_muted}
      onClick={() => update({ is_muted: !conversation.is_muted })}
    />
    <IconButton
      icon="archive"
      label="Archive the conversation"
      pressed={conversation.archived_at !== null}
      onClick={() => {
        const now = Math.floor(Date.now() / 1000);
        update({ archived_at: conversation.archived_at === null ? now : null });
      }}
    />
    {onAssign && (
      <IconButton
        icon="check"
        label="Take the conversation"
        pressed={!!conversation.assigned_to}
        onClick={onAssign}
      />
    )}
    {onShowGroup && (
      <IconButton
        icon="group"
        label="Members of the group"
        aria-haspopup="dialog"
        onClick={onShowGroup}
      />
    )}
    {isBlocking !== null && (
      <IconButton
        icon="block"
        class="block"
        label={isBlocking ? 'Unblock the contact' : 'Block the contact'}
        pressed={isBlocking}
        {...(!isBlocking && { 'aria-haspopup': 'dialog' as const })}
        onClick={onBlock}
      />
    )}
    <IconButton
      icon="trash"
      label="Delete the conversation"
      danger
      aria-haspopup="dialog"
      onClick={onDelete}
    />
  </div>
);
