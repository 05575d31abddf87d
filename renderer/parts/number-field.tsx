/** A number as it is typed: what cannot be used is said below the field and asks nothing, not what stood there before. */
import { useEffect, useId, useState } from 'react';
import { formatNumber, hasCommasInPlace, parseNumber } from './format.ts';

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

/** Why the text cannot be used; null when it can. @param isLeft no longer being typed: `1,2` may become `1,200` */
function problemOf(text: string, isLeft: boolean, { isWhole, minimum, maximum }: NumberFieldProps): string | null {
  const number = parseNumber(text);
  if (number === undefined) return null;
  if (number !== null && isLeft && !hasCommasInPlace(text)) return 'Commas separate thousands; a point, the decimals.';
  if (number === null) return 'A number is expected.';
  if (isWhole && !Number.isInteger(number)) return 'A whole number is expected.';
  if (minimum !== undefined && number < minimum) return `At least ${formatNumber(minimum)} is expected.`;
  return maximum !== undefined && number > maximum ? `At most ${formatNumber(maximum)} is expected.` : null;
}

const textOf = (value: number | undefined): string => (value === undefined ? '' : String(value));

export function NumberField(props: NumberFieldProps) {
  const { label, value, onChange, unit, placeholder = '', disabled } = props;
  const [text, setText] = useState(textOf(value));
  const [isLeft, setLeft] = useState(true);
  const problem = problemOf(text, isLeft, props);
  const problemId = useId();
  const asked = (typed: string, isDone: boolean) =>
    problemOf(typed, isDone, props) === null ? (parseNumber(typed) ?? undefined) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a number from elsewhere replaces what is typed
  useEffect(() => {
    // From elsewhere (undo, the slider, reset); what is being typed stays as it is typed: `5.` is 5, `5x` is nothing.
    setText((typed) => (asked(typed, isLeft) === value ? typed : textOf(value)));
  }, [value]);
  const take = (typed: string, isDone: boolean) => {
    setText(typed);
    setLeft(isDone);
    if (asked(typed, isDone) !== value) onChange(asked(typed, isDone));
  };
  const field = (
    <label className="field right" data-invalid={problem !== null}>
      {unit === '$' ? <span className="unit">$</span> : null}
      <input
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : problemId}
        placeholder={placeholder}
        disabled={disabled ?? false}
        value={text}
        onChange={(event) => take(event.target.value, false)}
        onBlur={() => take(text, true)}
      />
      {unit === undefined || unit === '$' ? null : <span className="unit">{unit}</span>}
    </label>
  );
  return problem === null ? (
    field
  ) : (
    <>
      {field}
      <span id={problemId} className="problem field-problem">
        {problem}
      </span>
    </>
  );
}
