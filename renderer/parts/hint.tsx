/** A short text on hover and on focus. */
import { Tooltip } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

export const Hint = ({ text, children }: { text: ReactNode; children: ReactElement }) => (
  <Tooltip.Root>
    <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
    <Tooltip.Portal>
      <Tooltip.Content className="tooltip" sideOffset={6} collisionPadding={8}>
        {text}
      </Tooltip.Content>
    </Tooltip.Portal>
  </Tooltip.Root>
);

/** An icon-only button, with its name on hover and for screen readers. */
export const IconButton = ({
  label,
  keys,
  onPress,
  children,
  disabled = false,
  isPressed,
}: {
  label: string;
  keys?: string;
  onPress: () => void;
  children: ReactNode;
  disabled?: boolean;
  /** For a button that stays down. */
  isPressed?: boolean;
}) => (
  <Hint text={keys ? `${label}  ${keys}` : label}>
    <button
      type="button"
      className="button icon"
      aria-label={label}
      aria-pressed={isPressed}
      disabled={disabled}
      onClick={onPress}
    >
      {children}
    </button>
  </Hint>
);
