/** Letters and labels: one per mailing address of the owners; Do not mail is left out and counted. */
import { ChevronDown, Mail } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useClient, useLate, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { type ExportMenuProps, takenWords } from './export-menu.tsx';
import { exportView, mailAs } from './export-state.ts';
import { MenuLine, TakingMenu } from './menu-line.tsx';

export function MailMenu({ parcels, selectedOf, feedPrice: _feedPrice, ...exported }: ExportMenuProps) {
  const client = useClient();
  const { data: offered } = useRead('export_formats', {}, { isLasting: true });
  const { isMailOpen, writing } = useStore(exportView);
  const isSlow = useLate(writing !== null);
  return (
    <DropdownMenu.Root modal={false} open={isMailOpen} onOpenChange={(next) => exportView.set({ isMailOpen: next })}>
      <DropdownMenu.Trigger className="button" aria-label="Mail merge" disabled={writing !== null}>
        <Mail aria-hidden />
        <span className="at-medium roomy">{isSlow ? 'Writing …' : 'Mail merge'}</span>
        <ChevronDown aria-hidden className="small" />
      </DropdownMenu.Trigger>
      <TakingMenu label="Mail merge" caption={`${takenWords(parcels, selectedOf)}, free; Do not mail is left out`}>
        {offered?.mail.map(({ name, label, docs }) => (
          <MenuLine key={name} label={label} docs={docs} onSelect={() => void mailAs(client, exported, name, label)} />
        ))}
      </TakingMenu>
    </DropdownMenu.Root>
  );
}
