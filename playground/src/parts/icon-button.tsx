import { Icon, type IconName } from './icon.tsx';

interface Props {
  icon: IconName;
  /** Accessible name and tooltip. */
  label: string;
  onClick: () => void;
  /** State of a toggle button. */
  pressed?: boolean;
  danger?: boolean;
  class?: string;
  'aria-haspopup'?: 'dialog';
  'aria-expanded'?: boolean;
}

export const IconButton = ({ icon, label, pressed, danger, class: className, ...rest }: Props) => (
  <button
    {...rest}
    type="button"
    class={`icon-button ${danger ? 'danger' : ''} ${className ?? ''}`}
    aria-label={label}
    title={label}
    {...(pressed !== undefined && { 'aria-pressed': pressed })}
  >
    <Icon name={icon} />
  </button>
);
