/** What can be taken along, and a few words about it. */
import { DropdownMenu } from 'radix-ui';

export interface MenuLineProps {
  readonly label: string;
  readonly docs: string;
  readonly onSelect: () => void;
}

export const MenuLine = ({ label, docs, onSelect }: MenuLineProps) => (
  <DropdownMenu.Item className="menu-item export-line" onSelect={onSelect}>
    <b>{label}</b>
    <span className="small-text quieter">{docs}</span>
  </DropdownMenu.Item>
);
