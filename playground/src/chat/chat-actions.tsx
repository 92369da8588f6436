import type { Conversation, UpdateConversation } from '../../../client/src/index.ts';
import { IconButton } from '../parts/icon-button.tsx';

interface Props {
  conversation: Conversation;
  update: (fields: UpdateConversation) => void;
  onDelete: () => void;
}

/** Buttons of a conversation. */
export const ChatActions = ({ conversation, update, onDelete }: Props) => (
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
    <IconButton
      icon="trash"
      label="Delete the conversation"
      danger
      aria-haspopup="dialog"
      onClick={onDelete}
    />
  </div>
);
