import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

const commonReactions = [
  ['👍', 'thumbs up'],
  ['❤️', 'heart'],
  ['😂', 'laughing'],
  ['🎉', 'party'],
  ['😮', 'surprised'],
  ['👀', 'eyes'],
] as const;

interface Props {
  onPick: (name: string) => void;
  onClose: () => void;
}

/**
 * Shows reactions to choose from, above the message if there is room. Closes when an element
 * outside the picker receives focus.
 */
export function ReactionPicker({ onPick, onClose }: Props) {
  const other = useSignal('');
  const box = useRef<HTMLFormElement>(null);
  const opensDown = useSignal(false);
  useLayoutEffect(() => {
    const opener = document.activeElement?.closest<HTMLElement>('.message');
    const list = box.current?.closest('.messages');
    opensDown.value = getTop(box.current) < getTop(list);
    box.current?.querySelector('button')?.focus();
    return () => {
      if (document.activeElement === document.body) opener?.focus();
    };
  }, []);
  const pick = (name: string) => {
    onPick(name);
    box.current?.closest<HTMLElement>('.message')?.focus();
    onClose();
  };
  return (
    <form
      ref={box}
      class="picker"
      data-opens={opensDown.value ? 'down' : 'up'}
      aria-label="React"
      onSubmit={(event) => {
        event.preventDefault();
        if (other.value !== '') pick(other.value);
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Escape') return;
        box.current?.closest<HTMLElement>('.message')?.focus();
        onClose();
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (relatedTarget !== null && !isInside) onClose();
      }}
    >
      <CommonReactions onPick={pick} />
      <input
        aria-label="Another reaction"
        placeholder="any word"
        size={8}
        maxLength={64}
        value={other.value}
        onInput={(event) => {
          other.value = event.currentTarget.value;
        }}
      />
    </form>
  );
}

const CommonReactions = ({ onPick }: Pick<Props, 'onPick'>) =>
  commonReactions.map(([name, label]) => (
    <button key={name} type="button" class="emoji" aria-label={label} onClick={() => onPick(name)}>
      {name}
    </button>
  ));

const getTop = (element: Element | null | undefined): number =>
  element?.getBoundingClientRect().top ?? 0;
