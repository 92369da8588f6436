/**
 * Attachment stored on another server. Instead of the stored file, the playground shows its own
 * image `preview`.
 */
export interface DemoAttachment {
  name: string;
  url: string;
  type: string;
  size: number;
  preview?: string;
}

export interface DemoMessage {
  from: string;
  text: string;
  attachments?: readonly DemoAttachment[];
  /** Ids of the contacts who reacted, by reaction. */
  reactions?: Readonly<Record<string, readonly string[]>>;
  isPinned?: boolean;
}

export interface DemoConversation {
  creator: string;
  contact_id?: string;
  group_id?: string;
  business_id?: string;
  messages: readonly DemoMessage[];
  /** Whether Ann has read the messages. */
  isRead?: boolean;
  /** The flag that Ann has set on the conversation. */
  flag?: 'pinned' | 'muted' | 'archived';
}

/** Users and businesses that send messages, in addition to `demoPeople`. */
export const demoContacts = {
  emma: { username: 'Emma', groups: [] },
  hugo: { username: 'Hugo', groups: [] },
  lena: { username: 'Lena', groups: [] },
  omar: { username: 'Omar', groups: [] },
  priya: { username: 'Priya', groups: [] },
  sam: { username: 'Sam', groups: ['support'] },
  'arbor-tree-care': { username: 'Arbor & Sons', groups: [] },
};

const photo = (name: string, size: number): DemoAttachment => ({
  name: `${name}.jpg`,
  url: `https://photos.example.com/${name}.jpg`,
  type: 'image/jpeg',
  size,
  preview: `/playground/photos/${name}.svg`,
});

const pdf = (name: string, size: number): DemoAttachment => ({
  name,
  url: `https://files.example.com/${name}`,
  type: 'application/pdf',
  size,
});

const chapters = [
  'Which chapter are you reading?',
  'The one with the lighthouse. Do not tell me how it ends!',
  'I would never. The next one is even better.',
  'You say that about every chapter 😄',
];

/** Returns messages sent alternately by Emma and Ann. */
const readingClub = (count: number): DemoMessage[] =>
  Array.from({ length: count }, (_, n) => ({
    from: n % 2 === 0 ? 'emma' : 'ann',
    text: `Page ${n + 1}: ${chapters[n % chapters.length]}`,
  }));

/** Ann's conversations, least recently active first. */
export const demoConversations: readonly DemoConversation[] = [
  {
    creator: 'lena',
    contact_id: 'ann',
    flag: 'archived',
    isRead: true,
    messages: [
      { from: 'lena', text: 'The moving boxes are in the cellar.' },
      { from: 'ann', text: 'Found them. All done, thank you!' },
    ],
  },
  {
    creator: 'arbor-tree-care',
    contact_id: 'ann',
    isRead: true,
    messages: [
      {
        from: 'arbor-tree-care',
        text: 'Here is our estimate for the two oaks.',
        attachments: [pdf('estimate.pdf', 148_213)],
      },
      { from: 'ann', text: 'That looks fair. Does Tuesday work?' },
      { from: 'arbor-tree-care', text: 'Tuesday at 8:00. Please park on the street.' },
    ],
  },
  { creator: 'emma', contact_id: 'ann', isRead: true, messages: readingClub(104) },
  {
    creator: 'hugo',
    contact_id: 'ann',
    flag: 'muted',
    messages: [
      { from: 'hugo', text: 'Chess tonight?' },
      { from: 'hugo', text: 'Or tomorrow?' },
      { from: 'hugo', text: 'I have a new opening ♟️' },
    ],
  },
  {
    creator: 'sam',
    contact_id: 'ann',
    group_id: 'support',
    isRead: true,
    messages: [
      { from: 'ann', text: 'My invoice shows the old address.' },
      { from: 'sam', text: 'Corrected. The new invoice is at https://billing.example.com/7104.' },
    ],
  },
  {
    creator: 'omar',
    contact_id: 'ann',
    messages: [{ from: 'omar', text: '🎂🎉🥳', attachments: [photo('cake', 81_300)] }],
  },
  {
    creator: 'ann',
    contact_id: 'priya',
    isRead: true,
    messages: [
      { from: 'ann', text: 'Can you review the contract before Monday?' },
      { from: 'priya', text: 'Yes. My notes:', attachments: [pdf('contract-notes.pdf', 92_044)] },
    ],
  },
  {
    creator: 'ann',
    business_id: 'aurora-cafe',
    messages: [
      { from: 'ann', text: 'Do you have a table for six on Saturday at 10?' },
      { from: 'kim', text: 'We do! The quiet back room is yours ☕' },
    ],
  },
  {
    creator: 'carol',
    contact_id: 'ann',
    flag: 'pinned',
    isRead: true,
    messages: [
      { from: 'carol', text: 'The train leaves at 9:12 from platform 4.', isPinned: true },
      { from: 'ann', text: "I'll bring the sandwiches.", reactions: { '😂': ['carol'] } },
    ],
  },
  {
    creator: 'carol',
    group_id: 'friends',
    isRead: true,
    messages: [
      {
        from: 'carol',
        text: 'We made it to the top!',
        attachments: [photo('summit', 204_800)],
        reactions: { '❤️': ['ann'], '🎉': ['ann', 'carol'] },
      },
      { from: 'ann', text: 'What a view. Next time I will come along.' },
    ],
  },
  {
    creator: 'ann',
    contact_id: 'bob',
    isRead: true,
    messages: [
      { from: 'ann', text: 'Hi Bob, are you free for lunch on Friday?' },
      {
        from: 'ann',
        text: 'The new place by the river has a table at noon.',
        attachments: [photo('river', 120_400)],
        reactions: { '👍': ['bob'] },
      },
      { from: 'bob', text: 'Gladly! See you there.' },
    ],
  },
  {
    creator: 'bob',
    group_id: 'team',
    isRead: true,
    messages: [
      {
        from: 'bob',
        text: 'The release is out. Thank you all!',
        reactions: { '🎉': ['ann'] },
        isPinned: true,
      },
      { from: 'ann', text: 'Well done, team.' },
    ],
  },
];
