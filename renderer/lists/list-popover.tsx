/** A button of a list that opens a small form below it. */
import type { LucideIcon } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';

interface ListPopoverProps {
  readonly title: string;
  readonly icon: LucideIcon;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly isDisabled: boolean;
  /** Hidden where the window is narrow. */
  readonly isForMedium?: true;
  readonly children: ReactNode;
}

export function ListPopover({
  title,
  icon: Icon,
  isOpen,
  onOpen,
  isDisabled,
  isForMedium,
  children,
}: ListPopoverProps) {
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpen}>
      <Popover.Trigger className={isForMedium ? 'button at-medium' : 'button'} disabled={isDisabled}>
        <Icon aria-hidden />
        {title}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover add-columns"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={title}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
