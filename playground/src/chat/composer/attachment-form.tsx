import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Attachment } from '../../../../client/src/index.ts';
import { Field } from '../../parts/field.tsx';

interface Props {
  onAdd: (attachment: Attachment) => void;
  onCancel: () => void;
}

const names = ['name', 'url', 'type', 'size'] as const;

const labels = { name: 'Name', url: 'Address (https)', type: 'Type', size: 'Bytes' };
const examples = {
  name: 'menu.pdf',
  url: 'https://files.example.com/menu.pdf',
  type: 'application/pdf',
  size: '48213',
};

/** Lets the user attach a file by its URL. The API validates the fields. */
export function AttachmentForm({ onAdd, onCancel }: Props) {
  const fields = useSignal({ name: '', url: '', type: '', size: '' });
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('input')?.focus();
  }, []);
  const add = () => {
    const { name, url, type, size } = fields.value;
    onAdd({
      ...(name !== '' && { name }),
      ...(url !== '' && { url }),
      ...(type !== '' && { type }),
      ...(size !== '' && { size: Number(size) }),
    });
  };
  return (
    <fieldset
      class="attachment-form"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
        else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) add();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <legend>Attach a file by its URL</legend>
      <div class="fields" ref={box}>
        {names.map((name) => (
          <Field
            key={name}
            label={labels[name]}
            placeholder={examples[name]}
            value={fields.value[name]}
            onInput={(value) => {
              const newValue = name === 'size' ? value.replace(/\D/g, '') : value;
              fields.value = { ...fields.value, [name]: newValue };
            }}
            {...(name === 'size' && { inputMode: 'numeric' })}
          />
        ))}
      </div>
      <div class="dialog-actions">
        <button type="button" class="button small" onClick={onCancel}>
          Cancel
        </button>
        <button
          type="button"
          class="button small primary"
          disabled={Object.values(fields.value).every((value) => value === '')}
          onClick={add}
        >
          Attach
        </button>
      </div>
    </fieldset>
  );
}
