/** The head of a column: its status, count and actions. */
import { Ellipsis } from 'lucide-react';
import { LaterItem, Menu } from '../parts/menu.tsx';
import { useClient } from '../state/client-context.tsx';
import { toast } from '../state/toasts.ts';
import { makeChange } from '../work/make-change.ts';
import { askName } from '../work/name-dialog.tsx';
import { columnsOf, firstColumns, marketView } from './market-view.ts';

interface ColumnHeadProps {
  readonly status: string;
  readonly count: number;
  readonly columns: readonly string[];
  readonly onAdd: () => void;
}

export function ColumnHead({ status, count, columns, onAdd }: ColumnHeadProps) {
  const client = useClient();
  const isOwn = !firstColumns.includes(status);
  const rename = () =>
    askName({
      title: 'Rename the column',
      label: 'Name of the column',
      value: status,
      button: 'Rename',
      done: async (name) => {
        if (name !== status && isTaken(name, columns)) return false;
        if (
          count > 0 &&
          name !== status &&
          !(await makeChange(client, 'rename_market_column', { from: status, to: name }))
        )
          return false;
        marketView.set(({ ownColumns }) => ({ ownColumns: withName(columnsOf(ownColumns, [status]), status, name) }));
        return true;
      },
    });
  return (
    <header>
      <h2>{status}</h2>
      <span className="quietest num">{count}</span>
      <span className="grow" />
      <Menu label={`Column ${status}`} face={<Ellipsis aria-hidden />}>
        <LaterItem onSelect={onAdd}>Add a county or ZIP here</LaterItem>
        {isOwn ? (
          <>
            <LaterItem onSelect={rename}>Rename the column</LaterItem>
            <LaterItem disabled={count > 0} onSelect={() => removeColumn(status)}>
              {count > 0 ? 'Remove the column (once it is empty)' : 'Remove the column'}
            </LaterItem>
          </>
        ) : null}
      </Menu>
    </header>
  );
}

const withName = (columns: readonly string[], from: string, to: string): string[] =>
  columns.filter((one) => !firstColumns.includes(one)).map((one) => (one === from ? to : one));

function removeColumn(status: string): void {
  const before = marketView.get().ownColumns;
  marketView.set({ ownColumns: before.filter((one) => one !== status) });
  toast(`Removed the column ${status}`, { label: 'Undo', run: () => marketView.set({ ownColumns: before }) });
}

function isTaken(name: string, columns: readonly string[]): boolean {
  const other = columns.find((one) => one.toLowerCase() === name.toLowerCase());
  if (other !== undefined) toast(`There is already a column ${other}.`);
  return other !== undefined;
}

/** Asks for a name; the new column is last and stays even when empty. */
export const addColumn = (columns: readonly string[]): void =>
  askName({
    title: 'New column',
    label: 'Name of the column',
    value: '',
    button: 'Add',
    done: async (name) => {
      if (isTaken(name, columns)) return false;
      marketView.set(({ ownColumns }) => ({ ownColumns: [...ownColumns, name] }));
      return true;
    },
  });
