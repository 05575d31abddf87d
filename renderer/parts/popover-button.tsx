/** A button that opens a small window beside it. */
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import { Hint } from './hint.tsx';

interface PopoverButtonProps {
  /** What the button shows. */
  readonly face: ReactNode;
  /** Names a button that shows an icon alone. */
  readonly hint?: string;
  readonly button?: string;
  readonly isDisabled?: boolean;
  /** Names what opens. */
  readonly label: string;
  readonly className?: string;
  readonly side?: 'top' | 'right' | 'bottom';
  readonly align?: 'start' | 'end';
  /** For what others open or close too. */
  readonly isOpen?: boolean;
  readonly onOpen?: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

export function PopoverButton({
  face,
  hint,
  button = 'button icon',
  isDisabled = false,
  label,
  className = '',
  side = 'bottom',
  align = 'end',
  isOpen,
  onOpen,
  children,
}: PopoverButtonProps) {
  const trigger = (
    <Popover.Trigger className={button} aria-label={hint} disabled={isDisabled}>
      {face}
    </Popover.Trigger>
  );
  return (
    <Popover.Root {...(isOpen !== undefined && { open: isOpen })} {...(onOpen && { onOpenChange: onOpen })}>
      {hint === undefined ? trigger : <Hint text={hint}>{trigger}</Hint>}
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          className={`popover ${className}`.trim()}
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
