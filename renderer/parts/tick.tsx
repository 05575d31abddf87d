/** A checkbox with its label; the whole line is the target. */
import { Check } from 'lucide-react';
import { Checkbox } from 'radix-ui';
import { type ReactNode, useId } from 'react';

interface TickProps {
  readonly label: ReactNode;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  /** At the end of the line: a count. */
  readonly end?: ReactNode;
  readonly disabled?: boolean;
}

export function Tick({ label, isOn, onChange, end, disabled }: TickProps) {
  const id = useId();
  return (
    <div className="tick">
      <Checkbox.Root
        id={id}
        checked={isOn}
        disabled={disabled ?? false}
        onCheckedChange={(checked) => onChange(checked === true)}
      >
        <Checkbox.Indicator asChild>
          <Check aria-hidden />
        </Checkbox.Indicator>
      </Checkbox.Root>
      <label htmlFor={id}>{label}</label>
      {end === undefined ? null : <span className="count">{end}</span>}
    </div>
  );
}
