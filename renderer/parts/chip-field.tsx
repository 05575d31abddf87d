/** Words as chips: Enter or a comma makes one, Backspace in the empty field removes the last. */
import { X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';

export const Chip = ({ label, onRemove, isAccent }: { label: string; onRemove: () => void; isAccent?: boolean }) => (
  <span className={isAccent ? 'chip accent' : 'chip'}>
    <span className="ellipsis" title={label}>
      {label}
    </span>
    <button type="button" aria-label={`Remove ${label}`} onClick={onRemove}>
      <X aria-hidden />
    </button>
  </span>
);

interface ChipFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** Why a word is refused; null if it is accepted. */
  readonly problemOf?: (word: string) => string | null;
  readonly disabled?: boolean;
}

export function ChipField({ label, placeholder, values, onChange, problemOf, disabled }: ChipFieldProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const take = (): void => {
    // Pasted lists contain commas.
    const words = text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
    if (words.length === 0) return;
    const reason = words.map((word) => problemOf?.(word) ?? null).find((one) => one !== null) ?? null;
    setProblem(reason);
    if (reason !== null) return;
    setText('');
    onChange([...new Set([...values, ...words])]);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      take();
    } else if (event.key === 'Backspace' && text === '' && values.length > 0) onChange(values.slice(0, -1));
  };
  return (
    <>
      <div className="field chip-field" data-invalid={problem !== null}>
        {values.map((value) => (
          <Chip key={value} label={value} onRemove={() => onChange(values.filter((one) => one !== value))} />
        ))}
        <input
          aria-label={label}
          aria-invalid={problem !== null}
          placeholder={placeholder}
          disabled={disabled ?? false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(null);
          }}
          onKeyDown={press}
          onBlur={take}
        />
      </div>
      {problem === null ? null : <p className="problem">{problem}</p>}
    </>
  );
}
