import { IconButton } from '../../parts/icon-button.tsx';

interface Props {
  isMine: boolean;
  isPinned: boolean;
  onReact: () => void;
  onReply: () => void;
  onUnread: () => void;
  onEdit: () => void;
  onPin: () => void;
  onDelete: () => void;
  onReport: () => void;
}

export const MessageTools = ({ isMine, isPinned, ...on }: Props) => (
  <div class="tools" role="toolbar" aria-label="Message actions">
    <IconButton icon="react" label="React" onClick={on.onReact} />
    <IconButton icon="reply" label="Reply" onClick={on.onReply} />
    <IconButton
      icon="pin"
      label={isPinned ? 'Unpin the message' : 'Pin the message'}
      pressed={isPinned}
      onClick={on.onPin}
    />
    {isMine && <IconButton icon="edit" label="Edit" onClick={on.onEdit} />}
    {isMine && <IconButton icon="trash" label="Delete the message" danger onClick={on.onDelete} />}
    {!isMine && <IconButton icon="unread" label="Mark as unread" onClick={on.onUnread} />}
    {!isMine && (
      <IconButton icon="flag" label="Report" aria-haspopup="dialog" onClick={on.onReport} />
    )}
  </div>
);
