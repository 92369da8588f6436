import { IconButton } from '../../parts/icon-button.tsx';

interface Props {
  isMine: boolean;
  isPinned: boolean;
  onReact: () => void;
  onEdit: () => void;
  onPin: () => void;
  onDelete: () => void;
}

/** Buttons shown while the pointer or the focus is on the message. */
export const MessageTools = ({ isMine, isPinned, onReact, onEdit, onPin, onDelete }: Props) => (
  <div class="tools" role="toolbar" aria-label="Message actions">
    <IconButton icon="react" label="React" onClick={onReact} />
    <IconButton
      icon="pin"
      label={isPinned ? 'Unpin the message' : 'Pin the message'}
      pressed={isPinned}
      onClick={onPin}
    />
    {isMine && <IconButton icon="edit" label="Edit" onClick={onEdit} />}
    {isMine && <IconButton icon="trash" label="Delete the message" danger onClick={onDelete} />}
  </div>
);
