import { useRef } from 'preact/hooks';
import { IconButton } from '../../parts/icon-button.tsx';

/** Lets the user choose files from this device. */
export function FilePicker({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Lets the user choose the same file again.
          currentTarget.value = '';
        }}
      />
      <IconButton icon="clip" label="Attach files" onClick={() => input.current?.click()} />
    </>
  );
}
