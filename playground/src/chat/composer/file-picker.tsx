import { useRef } from 'preact/hooks';
import { IconButton } from '../../parts/icon-button.tsx';

/** Chooses files of this device. */
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
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <IconButton icon="clip" label="Attach files" onClick={() => input.current?.click()} />
    </>
  );
}
