import { useId } from 'preact/hooks';

interface Props {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: string;
  inputMode?: 'numeric';
  placeholder?: string;
  required?: boolean;
  pattern?: string;
  maxLength?: number;
}

export function Field({ label, value, onInput, hint, ...rest }: Props) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        autocomplete="off"
        spellcheck={false}
        {...rest}
        id={id}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
