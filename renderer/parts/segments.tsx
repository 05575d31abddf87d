/** A choice of one among a few, side by side. */
import { RadioGroup } from 'radix-ui';

interface Segment<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Segment<Value>[];
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean;
}

export const Segments = <Value extends string>({ label, value, choices, onChange, disabled }: SegmentsProps<Value>) => (
  <RadioGroup.Root
    className="segments"
    aria-label={label}
    value={value}
    disabled={disabled ?? false}
    orientation="horizontal"
    onValueChange={(next) => onChange(next as Value)}
  >
    {choices.map((choice) => (
      <RadioGroup.Item key={choice.value} value={choice.value}>
        {choice.label}
      </RadioGroup.Item>
    ))}
  </RadioGroup.Root>
);
