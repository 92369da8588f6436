import { Icon } from './icon.tsx';

interface Props {
  id: string;
  name: string;
  group?: boolean;
  size?: 'small' | 'large';
}

/** Shows initials or a group icon on a color derived from the id. */
export const Avatar = ({ id, name, group = false, size }: Props) => (
  <span class={`avatar ${size ?? ''}`} style={{ '--hue': getHue(id) }} aria-hidden="true">
    {group ? <Icon name="group" /> : getInitials(name)}
  </span>
);

const getHue = (id: string) =>
  String([...id].reduce((hue, letter) => (hue * 31 + (letter.codePointAt(0) ?? 0)) % 360, 17));

const getInitials = (name: string) =>
  name
    .split(/[\s._@-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('') || '?';
