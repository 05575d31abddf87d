/** A number as it is typed: what is no number is said beside the field and asks nothing. */
import { useEffect, useState } from 'react';
import { parseNumber } from './format.ts';

export interface NumberFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly unit?: string | undefined;
  readonly placeholder?: string;
  readonly isWhole?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly disabled?: boolean;
}

/** Why the text cannot be used; null when it can. */
function problemOf(text: string, { isWhole, minimum, maximum }: NumberFieldProps): string | null {
  const number = parseNumber(text);
  if (number === undefined) return null;
  if (number === null) return 'a number is expected';
  if (isWhole && !Number.isInteger(number)) return 'a whole number is expected';
  if (minimum !== undefined && number < minimum) return `at least ${minimum} is expected`;
  return maximum !== undefined && number > maximum ? `at most ${maximum} is expected` : null;
}

const textOf = (value: number | undefined): string => (value === undefined ? '' : String(value));

export function NumberField(props: NumberFieldProps) {
  const { label, value, onChange, unit, placeholder = '', disabled } = props;
  const [text, setText] = useState(textOf(value));
  const problem = problemOf(text, props);
  useEffect(() => {
    // From elsewhere (undo, the slider, reset); what is being typed stays as it is typed: `5.` is 5.
    setText((typed) => (parseNumber(typed) === value ? typed : textOf(value)));
  }, [value]);
  const change = (typed: string) => {
    setText(typed);
    if (problemOf(typed, props) !== null) return;
    const number = parseNumber(typed);
    if (number !== null && number !== value) onChange(number);
  };
  return (
    <label className="field right" data-invalid={problem !== null}>
      {unit === '$' ? <span className="unit">$</span> : null}
      <input
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        aria-invalid={problem !== null}
        title={problem ?? undefined}
        placeholder={placeholder}
        disabled={disabled ?? false}
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      {unit === undefined || unit === '$' ? null : <span className="unit">{unit}</span>}
    </label>
  );
}
