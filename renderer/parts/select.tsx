/** A choice among many: the browser's own list, which takes keys and touch as people know them. */
import type { ReactNode, SelectHTMLAttributes } from 'react';

interface SelectOption {
  readonly value: string | number;
  readonly label: string;
}

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange' | 'children'> {
  readonly value: string | number;
  readonly options: readonly SelectOption[];
  readonly onChange: (value: string) => void;
  /** Options before these. */
  readonly children?: ReactNode;
}

export const Select = ({ options, onChange, children, ...rest }: SelectProps) => (
  <select {...rest} onChange={({ target }) => onChange(target.value)}>
    {children}
    {options.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
);

/** Options whose words are their values. */
export const plainOptions = (values: readonly string[]): readonly SelectOption[] =>
  values.map((value) => ({ value, label: value }));
