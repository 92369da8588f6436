import { useRef } from 'preact/hooks';
import { IconButton } from '../../parts/icon-button.tsx';

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
          // Otherwise, choosing the same file again would fire no event.
          currentTarget.value = '';
        }}
      />
      <IconButton icon="clip" label="Attach files" onClick={() => input.current?.click()} />
    </>
  );
}
