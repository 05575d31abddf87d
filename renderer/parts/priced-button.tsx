/** A button that charges: the verb, then the price if there is one, in the words of the count at the window's foot. */
import { RotateCw } from 'lucide-react';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';

interface PricedButtonProps {
  readonly label: string;
  /** Tokens; null while the price is unknown: the button then waits for it. */
  readonly price: number | null;
  /** After the number: `when matched`. */
  readonly condition?: string;
  readonly isPrimary?: boolean;
  /** As wide as the pane, and taller. */
  readonly isBig?: boolean;
  readonly isRunning?: boolean;
  readonly disabled?: boolean;
  readonly icon?: ReactNode;
  /** Name by which a shortcut finds the button. */
  readonly focus?: string;
  /** Name that identifies it where several are drawn. */
  readonly command?: string;
  readonly onPress: () => void;
}

/**
 * The second click of a double click and the repeats of a held key count as the first press: otherwise, if the answer
 * came between them, the button would charge again.
 */
const onePress = (onPress: () => void) => ({
  onClick: (event: MouseEvent) => {
    if (event.detail <= 1) onPress();
  },
  onKeyDown: (event: KeyboardEvent) => {
    if (event.repeat && event.key === 'Enter') event.preventDefault();
  },
});

export const PricedButton = ({
  label,
  price,
  condition,
  isPrimary = false,
  isBig = false,
  isRunning = false,
  disabled = false,
  icon,
  focus,
  command,
  onPress,
}: PricedButtonProps) => (
  <button
    type="button"
    className={['button', isPrimary ? 'primary' : '', isBig ? 'big full' : ''].join(' ')}
    data-priced
    data-focus={focus}
    data-command={command}
    // Not disabled while it waits: it would lose the keyboard focus.
    aria-busy={isRunning}
    disabled={disabled || price === null}
    {...onePress(onPress)}
  >
    {icon}
    {/* The space is for screen readers. */}
    {label}{' '}
    {price ? (
      <span className="price">{[`uses ${price.toLocaleString('en-US')}`, condition].filter(Boolean).join(' ')}</span>
    ) : null}
  </button>
);

/** After an error: repeats the same press, which charges only if the first one did not. */
export const PricedRetry = (props: Pick<PricedButtonProps, 'price' | 'condition' | 'disabled' | 'onPress'>) => (
  <PricedButton label="Try again" icon={<RotateCw aria-hidden />} isPrimary {...props} />
);
