import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Icon } from '../parts/icon.tsx';

interface Props {
  /** Accessible name. */
  label: string;
  /** Undefined if no conversation is open. */
  onFiles: ((files: readonly File[]) => void) | undefined;
  children: ComponentChildren;
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

export function DropZone({ label, onFiles, children }: Props) {
  const isOver = useSignal(false);
  const accepts = (event: DragEvent) => onFiles !== undefined && hasFiles(event);
  return (
    <section
      class="pane chat-pane"
      aria-label={label}
      onDragOver={(event) => {
        if (!accepts(event)) return;
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
          isOver.value = false;
      }}
      onDrop={(event) => {
        isOver.value = false;
        if (!accepts(event)) return;
        event.preventDefault();
        onFiles?.([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      {children}
      {isOver.value && (
        <p class="drop-note">
          <Icon name="clip" /> Drop files to attach them
        </p>
      )}
    </section>
  );
}

/** Prevents the browser from opening a file that is dropped outside a conversation. */
export function ignoreStrayDrops(): void {
  const ignore = (event: DragEvent) => {
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  };
  addEventListener('dragover', ignore);
  addEventListener('drop', ignore);
}
