/** What can be exported of a search: the selected parcels, else all of it. Free, because the search was paid for. */
import { explore, type LastSearch } from '../explore/explore-state.ts';
import { chosenColumns, exportedNames } from '../explore/table-columns.tsx';
import { useRead } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { ExportMenu, type ExportMenuProps } from './export-menu.tsx';
import { MailMenu } from './mail-menu.tsx';

export function ExportSearch({ search, title = 'parcels' }: { search: LastSearch; title?: string }) {
  const { ordering, selectedMany } = useStore(explore);
  const { columns } = useStore(settings);
  const { data: home } = useRead('home', {}, { isLasting: true });
  const price = home?.prices.find(({ operation }) => operation === 'filter_properties')?.tokens;
  if (search.count === 0) return null;
  const tableColumns = exportedNames(chosenColumns(columns));
  const chosen: ExportMenuProps =
    selectedMany.length > 1
      ? { what: { ids: selectedMany }, parcels: selectedMany.length, title: 'selected parcels', tableColumns }
      : {
          what: { filter: search.filter, ordering },
          parcels: search.count,
          title,
          tableColumns,
          ...(price === undefined ? {} : { feedPrice: price }),
        };
  return (
    <>
      <MailMenu {...chosen} />
      <ExportMenu {...chosen} />
    </>
  );
}
