/** A button that opens a menu, and the lines of menus. */
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

interface MenuProps {
  /** Names the button if its face does not. */
  readonly label?: string;
  /** What the button shows. */
  readonly face: ReactNode;
  readonly button?: string;
  readonly align?: 'start' | 'end';
  readonly className?: string;
  readonly children: ReactNode;
}

export const Menu = ({ label, face, button = 'icon', align = 'end', className = '', children }: MenuProps) => (
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger className={`button ${button}`.trim()} aria-label={label}>
      {face}
    </DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content className={`menu ${className}`.trim()} align={align} sideOffset={4} collisionPadding={8}>
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
);

export const MenuCaption = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="menu-caption">{children}</DropdownMenu.Label>
);

export const MenuSeparator = () => <DropdownMenu.Separator className="menu-line" />;

interface ItemProps {
  readonly onSelect: () => void;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

export const MenuItem = ({ onSelect, disabled = false, children }: ItemProps) => (
  <DropdownMenu.Item className="menu-item" disabled={disabled} onSelect={onSelect}>
    {children}
  </DropdownMenu.Item>
);

/** Runs after the menu returns the focus, which would otherwise override the item's. */
export const LaterItem = ({ onSelect, ...props }: ItemProps) => (
  <MenuItem {...props} onSelect={() => void setTimeout(onSelect, 0)} />
);
