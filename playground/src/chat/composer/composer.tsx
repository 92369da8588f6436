import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useId, useLayoutEffect } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { type Chat, emptyDraft } from '../../state/chat.ts';
import type { MessageActions } from '../message-actions.ts';
import { AttachmentForm } from './attachment-form.tsx';
import { DraftAttachments } from './draft-attachments.tsx';

interface Props {
  chat: Chat;
  actions: MessageActions;
  text: RefObject<HTMLTextAreaElement | null>;
  onLeave: () => void;
}

/** Writes and edits messages. */
export function Composer({ chat, actions, text: box, onLeave }: Props) {
  const isAttaching = useSignal(false);
  const hint = useId();
  const draft = chat.draft.value;
  const { text, attachments, editedMessage: edits } = draft;
  const isEmpty = text.trim() === '' && attachments.length === 0;

  useLayoutEffect(() => {
    box.current?.focus({ preventScroll: true });
  }, [box]);

  const submit = async () => {
    if (isEmpty) return;
    const content = text.trim() === '' ? '' : text;
    isAttaching.value = false;
    // Not after the reply: the user may be elsewhere by then.
    box.current?.focus();
    if (edits === null) {
      chat.send(content, attachments);
      chat.draft.value = emptyDraft;
    } else if (await actions.save(edits, content, attachments)) {
      if (chat.draft.peek() === draft) chat.draft.value = emptyDraft;
    }
  };
  const editLast = () => {
    const last = chat.snapshot.peek().messages.find(actions.isMine);
    if (last) actions.edit(last);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === 'ArrowUp' && text === '' && edits === null) {
      event.preventDefault();
      editLast();
    } else if (event.key === 'Escape') {
      if (edits) actions.cancelEdit();
      else onLeave();
    }
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {edits && (
        <p class="editing">
          Editing a message
          <button type="button" class="link" onClick={actions.cancelEdit}>
            Cancel
          </button>
        </p>
      )}
      <DraftAttachments
        attachments={attachments}
        onRemove={(removed) => {
          const others = attachments.filter((one) => one !== removed);
          chat.draft.value = { ...draft, attachments: others };
        }}
      />
      {isAttaching.value && (
        <AttachmentForm
          onAdd={(attachment) => {
            chat.draft.value = { ...chat.draft.value, attachments: [...attachments, attachment] };
            isAttaching.value = false;
            box.current?.focus();
          }}
          onCancel={() => {
            isAttaching.value = false;
            box.current?.focus();
          }}
        />
      )}
      <div class="composer-line">
        <IconButton
          icon="clip"
          label="Attach"
          aria-expanded={isAttaching.value}
          onClick={() => {
            isAttaching.value = !isAttaching.value;
          }}
        />
        <textarea
          ref={box}
          rows={1}
          aria-label="Message"
          aria-describedby={hint}
          placeholder="Write a message"
          value={text}
          onInput={(event) => {
            chat.draft.value = { ...draft, text: event.currentTarget.value };
          }}
          onKeyDown={onKeyDown}
        />
        <button
          type="submit"
          class="icon-button filled"
          aria-label={edits ? 'Save' : 'Send'}
          title={edits ? 'Save' : 'Send'}
          disabled={isEmpty}
        >
          <Icon name={edits ? 'check' : 'send'} />
        </button>
      </div>
      <p class="unseen" id={hint}>
        Enter sends, Shift and Enter make a new line.
      </p>
    </form>
  );
}
