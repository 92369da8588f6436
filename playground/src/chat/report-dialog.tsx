import { type Signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Message, ReportReason } from '../../../client/src/index.ts';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import type { Person } from '../state/person.ts';

interface Props {
  person: Person;
  message: Message;
  /** Blocks the sender; undefined in groups. */
  onBlock?: (() => void) | undefined;
  onClose: () => void;
}

const reasons: Record<ReportReason, string> = {
  spam: 'Spam',
  harassment: 'Harassment',
  hate: 'Hate',
  sexual: 'Sexual content',
  violence: 'Violence',
  self_harm: 'Self-harm',
  scam: 'Scam',
  other: 'Something else',
};

const isReason = (value: string): value is ReportReason => value in reasons;

export function ReportDialog({ person, message, onBlock, onClose }: Props) {
  const reason = useSignal<ReportReason>('spam');
  const note = useSignal('');
  const isReported = useSignal(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const report = { message_id: message.id, reason: reason.value, note: note.value || null };
    isReported.value = await person.attemptOther('The message was not reported.', () =>
      person.client.reports.create(report),
    );
    if (!isReported.value) onClose();
  };
  return (
    <Dialog title="Report this message" onClose={onClose}>
      {isReported.value ? (
        <Reported onBlock={onBlock} onClose={onClose} />
      ) : (
        <form onSubmit={submit}>
          <ReasonField reason={reason} />
          <Field
            label="Note"
            value={note.value}
            onInput={(value) => {
              note.value = value;
            }}
            maxLength={1000}
            hint="Optional information for the operators"
          />
          <DialogActions submit="Report" onCancel={onClose} isDangerous />
        </form>
      )}
    </Dialog>
  );
}

function ReasonField({ reason }: { reason: Signal<ReportReason> }) {
  const choice = useId();
  return (
    <div class="field">
      <label for={choice}>Reason</label>
      <select
        id={choice}
        value={reason.value}
        onChange={({ currentTarget: { value } }) => {
          if (isReason(value)) reason.value = value;
        }}
      >
        {Object.entries(reasons).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

const Reported = ({ onBlock, onClose }: Pick<Props, 'onBlock' | 'onClose'>) => (
  <>
    <p role="status">Reported. The operators have a copy of the message.</p>
    <div class="dialog-actions">
      <button type="button" class="button" onClick={onClose}>
        Done
      </button>
      {onBlock && (
        <button
          type="button"
          class="button danger"
          onClick={() => {
            onBlock();
            onClose();
          }}
        >
          Block the sender
        </button>
      )}
    </div>
  </>
);
