import { Dialog } from './parts/dialog.tsx';

const keys: readonly (readonly [where: string, rows: readonly (readonly [string, string])[]])[] = [
  [
    'In a list',
    [
      ['↑ ↓ Home End', 'move between items'],
      ['Enter', 'open'],
    ],
  ],
  [
    'While you write',
    [
      ['Enter', 'send'],
      ['Shift Enter', 'start a new line'],
      ['↑', 'if the text is empty, edit your last message'],
      ['Ctrl V', 'attach copied files'],
      ['@bob', 'mention the contact with the id bob'],
      ['Esc', 'cancel the edit or the reply, then return to the list'],
    ],
  ],
  [
    'On a message',
    [
      ['R', 'react'],
      ['Q', 'reply'],
      ['E', 'edit, if it is yours'],
      ['P', 'pin, or unpin'],
      ['U', 'mark as unread, if it is not yours'],
      ['Delete', 'delete, if it is yours'],
    ],
  ],
];

export const KeyboardHelp = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    {keys.map(([context, rows]) => (
      <section key={context} class="keys">
        <h3>{context}</h3>
        <dl>
          {rows.map(([key, effect]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </Dialog>
);
