/** The export menus: a caption, and lines with a description each. */
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

interface TakingMenuProps {
  readonly label: string;
  readonly caption: string;
  readonly onClosed?: (event: Event) => void;
  readonly children: ReactNode;
}

/** The menu below its button. */
export const TakingMenu = ({ label, caption, onClosed, children }: TakingMenuProps) => (
  <DropdownMenu.Portal>
    <DropdownMenu.Content
      className="menu export-menu"
      align="end"
      sideOffset={4}
      collisionPadding={8}
      aria-label={label}
      onCloseAutoFocus={(event) => {
        // A timer runs this: a menu opened meanwhile keeps the keyboard focus, without which it closes.
        if (document.querySelector('[role=menu]')) event.preventDefault();
        else onClosed?.(event);
      }}
    >
      <DropdownMenu.Label className="menu-caption num">{caption}</DropdownMenu.Label>
      {children}
    </DropdownMenu.Content>
  </DropdownMenu.Portal>
);

interface MenuLineProps {
  readonly label: string;
  readonly docs?: string;
  readonly onSelect: () => void;
}

export const MenuLine = ({ label, docs, onSelect }: MenuLineProps) => (
  <DropdownMenu.Item className="menu-item export-line" onSelect={onSelect}>
    <b>{label}</b>
    {docs === undefined ? null : <span className="small-text quieter">{docs}</span>}
  </DropdownMenu.Item>
);
