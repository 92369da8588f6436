import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useId, useLayoutEffect } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { type Chat, type Draft, emptyDraft, toText } from '../../state/chat.ts';
import type { MessageActions } from '../message-actions.ts';
import { toQuoteText } from '../messages/quote.tsx';
import { AttachmentForm } from './attachment-form.tsx';
import { DraftAttachments } from './draft-attachments.tsx';
import { FilePicker } from './file-picker.tsx';

interface Props {
  chat: Chat;
  actions: MessageActions;
  text: RefObject<HTMLTextAreaElement | null>;
  onLeave: () => void;
}

export function Composer({ chat, actions, text: box, onLeave }: Props) {
  const isAttaching = useSignal(false);
  const draft = chat.draft.value;
  const { attachments, editedMessage } = draft;

  useLayoutEffect(() => box.current?.focus({ preventScroll: true }), [box]);

  const submit = () => {
    if (isEmpty(draft)) return;
    isAttaching.value = false;
    // Focus now, because the user may have moved the focus by the time the API replies.
    box.current?.focus();
    submitDraft(chat, actions, draft);
  };
  const addFiles = (files: readonly File[]) => {
    chat.addFiles(files);
    box.current?.focus();
  };
  const change = (changed: Partial<Draft>) => {
    chat.draft.value = { ...chat.draft.peek(), ...changed };
  };
  const endAttaching = () => {
    isAttaching.value = false;
    box.current?.focus();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <DraftNote draft={draft} onCancel={actions.cancel} />
      <DraftAttachments draft={draft} onChange={change} />
      {isAttaching.value && (
        <AttachmentForm
          onAdd={(attachment) => {
            change({ attachments: [...attachments, attachment] });
            endAttaching();
          }}
          onCancel={endAttaching}
        />
      )}
      <div class="composer-line">
        {editedMessage === null && <FilePicker onFiles={addFiles} />}
        <IconButton
          icon="link"
          label="Attach a link"
          aria-expanded={isAttaching.value}
          onClick={() => {
            isAttaching.value = !isAttaching.value;
          }}
        />
        <TextBox chat={chat} actions={actions} text={box} onLeave={onLeave} onSubmit={submit} />
        <SubmitButton isEdit={editedMessage !== null} isDisabled={isEmpty(draft)} />
      </div>
    </form>
  );
}

/**
 * Sends the draft or saves the edited message. Empties the draft, unless saving fails or the user
 * changes the draft in the meantime.
 */
async function submitDraft(chat: Chat, { save }: MessageActions, draft: Draft): Promise<void> {
  const { editedMessage, attachments } = draft;
  if (editedMessage === null) {
    chat.send(draft);
    chat.draft.value = emptyDraft;
  } else if (await save(editedMessage, toText(draft), attachments)) {
    if (chat.draft.peek() === draft) chat.draft.value = emptyDraft;
  }
}

const isEmpty = ({ text, attachments, files }: Draft) =>
  text.trim() === '' && attachments.length + files.length === 0;

const DraftNote = ({ draft, onCancel }: { draft: Draft; onCancel: () => void }) => {
  const { editedMessage, quotedMessage } = draft;
  if (!editedMessage && !quotedMessage) return null;
  return (
    <p class="editing">
      <span>{quotedMessage ? `Reply to ${toQuoteText(quotedMessage)}` : 'Editing a message'}</span>
      <button type="button" class="link" onClick={onCancel}>
        Cancel
      </button>
    </p>
  );
};

function TextBox({
  chat,
  actions,
  text: box,
  onLeave,
  onSubmit,
}: Props & { onSubmit: () => void }) {
  const hint = useId();
  const draft = chat.draft.value;
  const { text, editedMessage, quotedMessage } = draft;
  const editLast = () => {
    const last = chat.snapshot.peek().messages.find(actions.isMine);
    if (last) actions.edit(last);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      onSubmit();
    } else if (event.key === 'ArrowUp' && text === '' && editedMessage === null) {
      event.preventDefault();
      editLast();
    } else if (event.key === 'Escape') {
      if (editedMessage || quotedMessage) actions.cancel();
      else onLeave();
    }
  };
  return (
    <>
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
        onPaste={(event) => {
          const files = [...(event.clipboardData?.files ?? [])];
          if (files.length === 0) return;
          event.preventDefault();
          chat.addFiles(files);
        }}
      />
      <p class="unseen" id={hint}>
        Enter sends the message. Shift Enter starts a new line.
      </p>
    </>
  );
}

const SubmitButton = ({ isEdit, isDisabled }: { isEdit: boolean; isDisabled: boolean }) => (
  <button
    type="submit"
    class="icon-button filled"
    aria-label={isEdit ? 'Save' : 'Send'}
    title={isEdit ? 'Save' : 'Send'}
    disabled={isDisabled}
  >
    <Icon name={isEdit ? 'check' : 'send'} />
  </button>
);
