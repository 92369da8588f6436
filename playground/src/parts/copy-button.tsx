import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

const shownMilliseconds = 1500;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('refused'),
    );
  return (
    <button type="button" class="button small" onClick={copy}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">
        {{ idle: label, copied: 'Copied', refused: 'Not allowed by the browser' }[state]}
      </span>
    </button>
  );
}
