/** Export menus: every file format with a description, letters, and text for the clipboard. */
import { Check, ChevronDown, Download } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { formatNumber, plural } from '../parts/format.ts';
import { useClient, useLate, useRead } from '../state/client-context.tsx';
import { focusBack } from '../state/focus-place.ts';
import { useStore } from '../state/store.ts';
import {
  type ColumnChoice,
  columnChoices,
  columnsWanted,
  copyAsTsv,
  type Exported,
  exportAs,
  exportView,
  placeBeforeExport,
} from './export-state.ts';
import { feedPriceWords, makeFeed } from './feed-state.ts';
import { MenuLine, TakingMenu } from './menu-line.tsx';

export interface ExportMenuProps extends Exported {
  /** Number of parcels, for the menu's head. */
  readonly parcels: number;
  /** Set for a selection: the total it was selected from. */
  readonly selectedOf?: number;
  /** Maximum daily price of a feed of this search, from home.prices; absent: no feed is offered. */
  readonly feedPrice?: number;
}

/** `12 parcels`, `3 selected of 12 parcels` */
export const takenWords = (parcels: number, selectedOf: number | undefined): string =>
  selectedOf === undefined
    ? plural(parcels, 'parcel', 'parcels')
    : `${formatNumber(parcels)} selected of ${plural(selectedOf, 'parcel', 'parcels')}`;

export function ExportMenu({ parcels, selectedOf, feedPrice, ...exported }: ExportMenuProps) {
  const client = useClient();
  const { data: offered } = useRead('export_formats', {}, { isLasting: true });
  const { isOpen, writing } = useStore(exportView);
  const isSlow = useLate(writing !== null);
  const wantsMail = useRef(false);
  /** Closes first: otherwise the focus it gives back would close the next menu. */
  const afterClose = (event: Event) => {
    const before = placeBeforeExport();
    if (!wantsMail.current && !before) return;
    event.preventDefault();
    if (wantsMail.current) exportView.set({ isMailOpen: true });
    else focusBack(before);
    wantsMail.current = false;
  };
  return (
    // Opened before its formats are known, the menu would give the keyboard to the line after them.
    <DropdownMenu.Root
      modal={false}
      open={isOpen && offered !== undefined}
      onOpenChange={(next) => exportView.set({ isOpen: next })}
    >
      <DropdownMenu.Trigger className="button" data-export-menu disabled={writing !== null}>
        <Download aria-hidden />
        <span aria-live="polite">{isSlow ? `Writing ${writing} …` : 'Export'}</span>
        <ChevronDown aria-hidden className="small" />
      </DropdownMenu.Trigger>
      <TakingMenu label="Export" caption={`${takenWords(parcels, selectedOf)}, free`} onClosed={afterClose}>
        {offered?.parcels.map((format) => (
          <MenuLine
            key={format.name}
            label={format.label}
            docs={format.docs}
            onSelect={() => void exportAs(client, exported, format)}
          />
        ))}
        <DropdownMenu.Separator className="menu-line" />
        <MenuLine
          label="Mail merge"
          docs="one row per mailing address, labels as PDF"
          onSelect={() => {
            wantsMail.current = true;
          }}
        />
        <DropdownMenu.Separator className="menu-line" />
        <MenuLine
          label="Page to send"
          docs="one HTML file with a map, for any phone; you tick what goes along"
          onSelect={() => exportView.set({ sharing: exported.what })}
        />
        <MenuLine
          label="Copy as TSV"
          docs="to paste into Google Sheets"
          onSelect={() => void copyAsTsv(client, exported)}
        />
        <FeedLine exported={exported} price={feedPrice} />
        <DropdownMenu.Separator className="menu-line" />
        <Columns count={exported.tableColumns.length} />
        <LeaveOut />
        <FieldMarks />
      </TakingMenu>
    </DropdownMenu.Root>
  );
}

function FeedLine({ exported, price }: { exported: Exported; price: number | undefined }) {
  const client = useClient();
  const { leavesOutDoNotMail } = useStore(exportView);
  const { what, title } = exported;
  if (price === undefined || !('filter' in what)) return null;
  return (
    <MenuLine
      label="Live feed"
      docs={`an address for LibreOffice, Excel, QGIS; ${feedPriceWords(price)}${leavesOutDoNotMail ? '; Do not mail is left out' : ''}`}
      onSelect={() =>
        void makeFeed(client, {
          kind: 'search',
          input: { ...what.filter },
          ordering: what.ordering ?? null,
          name: title ?? 'parcels',
          ...columnsWanted(exported),
          leave_out_do_not_mail: leavesOutDoNotMail,
        })
      }
    />
  );
}

/** The columns of tables, text, feeds and map formats. */
function Columns({ count }: { count: number }) {
  const { columns } = useStore(exportView);
  return (
    <DropdownMenu.RadioGroup
      className="export-columns"
      aria-label="Columns"
      value={columns}
      onValueChange={(next) => exportView.set({ columns: next as ColumnChoice })}
    >
      {columnChoices.map(({ value, label }) => (
        <DropdownMenu.RadioItem
          key={value}
          className="menu-item"
          value={value}
          onSelect={(event) => event.preventDefault()}
        >
          <span className="menu-tick menu-dot" data-state={value === columns ? 'checked' : 'unchecked'} />
          {label}
          {value === 'table' ? <span className="end num quieter">{count}</span> : null}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

/** Letters never go to owners on Do not mail, whatever is checked. */
function LeaveOut() {
  const { leavesOutDoNotMail, leavesOutUnsafePhones } = useStore(exportView);
  return (
    <>
      <TickLine
        label="Leave out Do not mail"
        isOn={leavesOutDoNotMail}
        onChange={(next) => exportView.set({ leavesOutDoNotMail: next })}
      />
      <TickLine
        label="Leave out phones with DNC Yes or Unknown"
        isOn={leavesOutUnsafePhones}
        onChange={(next) => exportView.set({ leavesOutUnsafePhones: next })}
      />
    </>
  );
}

function FieldMarks() {
  const { takesFieldMarks } = useStore(exportView);
  return (
    <TickLine
      label="GPX and KML with outlines, waypoints and tracks"
      isOn={takesFieldMarks}
      onChange={(next) => exportView.set({ takesFieldMarks: next })}
    />
  );
}

const TickLine = ({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (next: boolean) => void }) => (
  <DropdownMenu.CheckboxItem
    className="menu-item"
    checked={isOn}
    onCheckedChange={onChange}
    // The menu stays open: the checkboxes apply to the format chosen next.
    onSelect={(event) => event.preventDefault()}
  >
    <span className="menu-tick" data-state={isOn ? 'checked' : 'unchecked'}>
      {isOn ? <Check aria-hidden /> : null}
    </span>
    {label}
  </DropdownMenu.CheckboxItem>
);
