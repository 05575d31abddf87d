/** A button that charges: the verb, then what it costs. */
import type { ReactNode } from 'react';

export interface PricedButtonProps {
  readonly label: string;
  /** Tokens; null while the price is not known, and then the button waits for it. */
  readonly price: number | null;
  /** After the number: `when matched`. */
  readonly condition?: string;
  readonly isPrimary?: boolean;
  readonly isRunning?: boolean;
  readonly disabled?: boolean;
  readonly icon?: ReactNode;
  /** Name by which a shortcut finds the button. */
  readonly focus?: string;
  readonly onPress: () => void;
}

const tokens = (price: number): string => `${price.toLocaleString('en-US')} ${price === 1 ? 'token' : 'tokens'}`;

export const PricedButton = ({
  label,
  price,
  condition,
  isPrimary = false,
  isRunning = false,
  disabled = false,
  icon,
  focus,
  onPress,
}: PricedButtonProps) => (
  <button
    type="button"
    className={`button ${isPrimary ? 'primary' : ''}`}
    data-priced
    data-focus={focus}
    // Not disabled while it waits: the keyboard's focus would be lost.
    aria-busy={isRunning}
    disabled={disabled || price === null}
    onClick={onPress}
  >
    {icon}
    {label}
    {price === null ? null : <span className="price">{[tokens(price), condition].filter(Boolean).join(' ')}</span>}
  </button>
);
