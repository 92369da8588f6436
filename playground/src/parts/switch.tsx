interface Props {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

export const Switch = ({ label, isOn, onChange }: Props) => (
  <button
    type="button"
    role="switch"
    class="switch"
    aria-checked={isOn}
    onClick={() => onChange(!isOn)}
  >
    <span class="switch-track" aria-hidden="true">
      <span class="switch-thumb" />
    </span>
    <span>{label}</span>
  </button>
);
