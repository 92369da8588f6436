interface Props<Value extends string> {
  label: string;
  options: readonly (readonly [value: Value, name: string])[];
  chosen: Value;
  onChoose: (value: Value) => void;
}

export const Segments = <Value extends string>({
  label,
  options,
  chosen,
  onChoose,
}: Props<Value>) => (
  <fieldset class="segments">
    <legend class="unseen">{label}</legend>
    {options.map(([value, name]) => (
      <button
        key={value}
        type="button"
        aria-pressed={value === chosen}
        onClick={() => onChoose(value)}
      >
        {name}
      </button>
    ))}
  </fieldset>
);
