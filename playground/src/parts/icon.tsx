/** SVG path data of each icon, in a view box of 24 by 24 units. */
const strokes = {
  archive: 'M4 5h16v4H4zM6 9v10h12V9M10 13h4',
  back: 'M15 5l-7 7 7 7',
  block: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM6 6l12 12',
  business: 'M4 20V9l8-5 8 5v11M4 20h16M9 20v-5h6v5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  clip: 'M20 11.5l-8.2 8.2a5 5 0 0 1-7.1-7.1l8.6-8.5a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.6 1.6 0 0 1-2.3-2.3l7.7-7.7',
  clock: 'M12 7v5l3 2M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17z',
  close: 'M6 6l12 12M18 6L6 18',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  down: 'M6 9l6 6 6-6',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  flag: 'M6 21V4h11l-2 4 2 4H6',
  group:
    'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 19c0-3.3 2.7-5 6-5s6 1.7 6 5M16 5.2a3 3 0 0 1 0 5.6M18 14.4c1.9.7 3 2.3 3 4.6',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M9 9h.01',
  keyboard: 'M3 7h18v11H3zM7 11h.01M11 11h.01M15 11h.01M7 14.5h10',
  chats: 'M4 5h16v11H9l-5 4z',
  link: 'M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7l1.6-1.6',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  muted: 'M6 16V11a6 6 0 0 1 9.5-4.9M18 11v5l1 2H8M10.5 20.5h3M4 4l16 16',
  offline:
    'M4 4l16 16M5 12.5a10 10 0 0 1 4-2.4M14 9.9a10 10 0 0 1 5 2.6M8.5 16a5 5 0 0 1 5-1.2M2 9a15 15 0 0 1 3.5-2.3M10 5.2A15 15 0 0 1 22 9M12 19.5h.01',
  online: 'M2 9a15 15 0 0 1 20 0M5 12.5a10 10 0 0 1 14 0M8.5 16a5 5 0 0 1 7 0M12 19.5h.01',
  pin: 'M9 4h6l-1 6 4 3v2H6v-2l4-3zM12 15v6',
  plus: 'M12 5v14M5 12h14',
  react:
    'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM8.5 14c.8 1.3 2 2 3.5 2s2.7-.7 3.5-2M9 9.5h.01M15 9.5h.01',
  reply: 'M10 5l-7 6 7 6v-4c5 0 8.5 1.5 11 5-.7-6-4.5-9-11-9z',
  reload: 'M20 6v5h-5M19.5 11A8 8 0 1 0 20 15',
  send: 'M4 12l16-8-5 16-3.5-6.5zM11.5 13.5L20 4',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  twice: 'M2 12.5L6.5 17 16 7.5M11.5 16l1 1L22 7.5',
  unread: 'M20 11v8H4V6h9M4 7l8 6 3.5-2.6M19 3a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
} as const;

export type IconName = keyof typeof strokes;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={strokes[name]} />
  </svg>
);
