import { Icon, type IconName } from './icon.tsx';

interface Props {
  icon: IconName;
  /** What it does; shown when the pointer rests on it. */
  label: string;
  onClick: () => void;
  /** Of something that is on or off. */
  pressed?: boolean;
  danger?: boolean;
  class?: string;
  'aria-haspopup'?: 'dialog';
  'aria-expanded'?: boolean;
}

export const IconButton = ({ icon, label, pressed, danger, class: more, ...rest }: Props) => (
  <button
    {...rest}
    type="button"
    class={`icon-button ${danger ? 'danger' : ''} ${more ?? ''}`}
    aria-label={label}
    title={label}
    {...(pressed !== undefined && { 'aria-pressed': pressed })}
  >
    <Icon name={icon} />
  </button>
);
