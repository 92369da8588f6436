import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from './icon-button.tsx';

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/**
 * Shows a modal dialog while the component is mounted. The browser keeps the focus in the dialog,
 * closes the dialog on Escape, and then restores the focus.
 */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={heading} onClose={onClose}>
      <div class="dialog-head">
        <h2 id={heading}>{title}</h2>
        <IconButton icon="close" label="Close" onClick={() => dialog.current?.close()} />
      </div>
      {children}
    </dialog>
  );
}

interface ActionsProps {
  submit: string;
  onCancel: () => void;
  isDangerous?: boolean;
}

export const DialogActions = ({ submit, onCancel, isDangerous = false }: ActionsProps) => (
  <div class="dialog-actions">
    <button type="button" class="button" onClick={onCancel}>
      Cancel
    </button>
    <button type="submit" class={`button ${isDangerous ? 'danger' : 'primary'}`}>
      {submit}
    </button>
  </div>
);
