/**
 * A number field: an invalid text means no value, not the previous one, and shows its problem below the field once typing
 * rests.
 */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { formatNumber, hasCommasInPlace, parseNumber } from './format.ts';
import { useRefused } from './refused-fields.ts';
import { typeIn, useTypedField } from './typing.ts';

interface NumberFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly unit?: string | undefined;
  readonly placeholder?: string;
  readonly isWhole?: boolean;
  /** An empty field is invalid. */
  readonly isRequired?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly disabled?: boolean;
}

/** Why the text is invalid; null if it is valid. @param isLeft typing has ended: until then `1,2` may become `1,200` */
function problemOf(text: string, isLeft: boolean, props: NumberFieldProps): string | null {
  const { isWhole, isRequired, minimum, maximum } = props;
  const number = parseNumber(text);
  if (number === undefined) return isRequired && isLeft ? 'A number is expected.' : null;
  if (number !== null && isLeft && !hasCommasInPlace(text)) return 'Commas separate thousands; a point, the decimals.';
  if (number === null) return 'A number is expected.';
  if (isWhole && !Number.isInteger(number)) return 'A whole number is expected.';
  if (minimum !== undefined && number < minimum) return `At least ${formatNumber(minimum)} is expected.`;
  return maximum !== undefined && number > maximum ? `At most ${formatNumber(maximum)} is expected.` : null;
}

const textOf = (value: number | undefined): string => (value === undefined ? '' : String(value));

interface Typed {
  readonly text: string;
  readonly problem: string | null;
  /** @param isDone typing has ended */
  readonly take: (text: string, isDone: boolean) => void;
}

function useTyped(props: NumberFieldProps): Typed {
  const { label, value, onChange } = props;
  const [text, setText] = useState(textOf(value));
  const [isLeft, setLeft] = useState(true);
  const field = useId();
  const isTyping = useTypedField() === field;
  const turn = useRefused(label, problemOf(text, true, props) !== null);
  /** The last value set by the field itself. */
  const own = useRef(value);
  const latest = useRef(value);
  latest.current = value;
  const show = (number: number | undefined) => {
    own.current = number;
    setText(textOf(number));
    setLeft(true);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a number from elsewhere replaces typed text
  useEffect(() => {
    // Follows changes from elsewhere (undo, the slider, reset), but never changes text being typed: `5.` is 5, `5x` is
    // nothing.
    if (value !== own.current) show(value);
  }, [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: all fields must show the actual values
  useEffect(() => show(latest.current), [turn]);
  const take = (typed: string, isDone: boolean) => {
    setText(typed);
    setLeft(isDone);
    typeIn(isDone ? null : field);
    // `1,2` may become `1,200`, or has a decimal comma: the next keys decide.
    if (!isDone && !hasCommasInPlace(typed)) return;
    const number = problemOf(typed, isDone, props) === null ? (parseNumber(typed) ?? undefined) : undefined;
    if (number === own.current) return;
    own.current = number;
    onChange(number);
  };
  return { text, problem: isTyping ? null : problemOf(text, isLeft, props), take };
}

export function NumberField(props: NumberFieldProps) {
  const { label, unit, placeholder = '', disabled } = props;
  const { text, problem, take } = useTyped(props);
  const problemId = useId();
  /** Enter submits a form without leaving the field. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    take(text, true);
    if (problemOf(text, true, props) !== null) event.preventDefault();
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
        onKeyDown={onKeyDown}
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
