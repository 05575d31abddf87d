/** Fields beside the wizard's steps: a label, and a choice or a text below it. */

import { type ReactNode, useState } from 'react';
import { Select } from '../parts/select.tsx';

export const AsideField = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the children hold the control
  <label className="aside-field">
    <span className="quieter">{label}</span>
    <span className="field">{children}</span>
  </label>
);

interface Option {
  readonly value: string;
  readonly label: string;
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Option[];
  readonly onChange: (value: string) => void;
}

export const Choice = ({ label, value, choices, onChange }: ChoiceProps) => (
  <AsideField label={label}>
    <Select value={value} options={choices} onChange={onChange} />
  </AsideField>
);

export const columnOptions = (columns: readonly { readonly name: string }[] = []): readonly Option[] =>
  columns.map(({ name }) => ({ value: name, label: name }));

interface WordsProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly isNumber?: boolean;
  readonly onKeep: (text: string) => void;
}

/** Applied when the field loses the focus: half a word is no rule. */
export function Words({ label, value, hint, isNumber = false, onKeep }: WordsProps) {
  const [text, setText] = useState(value);
  const keep = () => {
    if (text !== value) onKeep(text);
  };
  return (
    <AsideField label={label}>
      <input
        inputMode={isNumber ? 'numeric' : undefined}
        value={text}
        placeholder={hint}
        onChange={(event) => setText(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => event.key === 'Enter' && keep()}
      />
    </AsideField>
  );
}
