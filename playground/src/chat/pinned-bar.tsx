import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Message } from '../../../client/src/index.ts';
import { getContactName } from '../inbox/display-names.ts';
import { Icon } from '../parts/icon.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { conversationFields } from '../state/conversation-fields.ts';
import type { Person } from '../state/person.ts';

interface Props {
  person: Person;
  conversationId: string;
  messageId: string;
  messages: readonly Message[];
  /**
   * Whether the newest messages are loaded. If these messages lack the pinned message, the bar
   * retrieves it.
   */
  isReady: boolean;
}

export function PinnedBar({ person, conversationId, messageId, messages, isReady }: Props) {
  const retrieved = useSignal<Message | null>(null);
  const loaded = messages.find(({ id }) => id === messageId);
  const isLoaded = loaded !== undefined;
  useEffect(() => {
    if (isLoaded || !isReady) return;
    person.client.messages.retrieve({ message_id: messageId, peek: true }).then(
      (message) => {
        retrieved.value = message;
      },
      () => {},
    );
  }, [person, messageId, isLoaded, isReady, retrieved]);
  const message = loaded ?? (retrieved.value?.id === messageId ? retrieved.value : null);
  const unpin = () => {
    person.attempt('The message was not unpinned.', () =>
      person.client.conversations.update({
        conversation_id: conversationId,
        pinned_message_id: null,
        expand: conversationFields,
      }),
    );
  };
  const show = (event: MouseEvent) => {
    if (!(event.currentTarget instanceof Element)) return;
    const pane = event.currentTarget.closest('.pane');
    const shown = pane?.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`);
    shown?.scrollIntoView({ block: 'center' });
    shown?.focus();
  };
  return (
    <div class="pinned-bar">
      <Icon name="pin" />
      <button type="button" class="pinned-text" onClick={show} disabled={!isLoaded}>
        <span class="unseen">Pinned message: </span>
        {message ? (
          <>
            <strong>{getContactName(message.contact)}</strong> {message.message}
          </>
        ) : (
          'Pinned message'
        )}
      </button>
      <IconButton icon="close" label="Unpin the message" onClick={unpin} />
    </div>
  );
}
