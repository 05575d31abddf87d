/** Chooses the columns of the table. */
import { Check, Columns3Cog } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Menu, MenuCaption } from '../parts/menu.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { tableColumns } from './table-columns.tsx';

const toggle = (id: string, isOn: boolean): void =>
  settings.set(({ columns }) => ({ columns: isOn ? [...columns, id] : columns.filter((one) => one !== id) }));

export function ColumnChooser() {
  const { columns } = useStore(settings);
  return (
    <Menu label="Columns" face={<Columns3Cog aria-hidden />}>
      <MenuCaption>Columns of the table</MenuCaption>
      {tableColumns
        .filter(({ id }) => id !== 'apn')
        .map(({ id, label }) => (
          <DropdownMenu.CheckboxItem
            key={id}
            className="menu-item"
            checked={columns.includes(id)}
            onCheckedChange={(isOn) => toggle(id, isOn)}
            // Keeps the menu open for several choices.
            onSelect={(event) => event.preventDefault()}
          >
            <span className="box">
              <DropdownMenu.ItemIndicator>
                <Check aria-hidden className="small" />
              </DropdownMenu.ItemIndicator>
            </span>
            {label}
          </DropdownMenu.CheckboxItem>
        ))}
    </Menu>
  );
}
