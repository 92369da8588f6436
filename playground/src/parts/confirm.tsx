import { Dialog } from './dialog.tsx';

interface Props {
  title: string;
  text: string;
  action: string;
  onConfirm: () => void;
  onClose: () => void;
}

export const Confirm = ({ title, text, action, onConfirm, onClose }: Props) => (
  <Dialog title={title} onClose={onClose}>
    <p>{text}</p>
    <div class="dialog-actions">
      <button type="button" class="button" onClick={onClose}>
        Cancel
      </button>
      <button
        type="button"
        class="button danger"
        onClick={() => {
          onConfirm();
          onClose();
        }}
      >
        {action}
      </button>
    </div>
  </Dialog>
);
