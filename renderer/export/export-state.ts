/** The open menu, the file being written, and the feed whose address is shown. */

import type { ReadInputOf, ReadOutputOf } from '../../engine/reads/index.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { copyText } from '../parts/clipboard.ts';
import { formatNumber, plural } from '../parts/format.ts';
import { lastPlace } from '../state/focus-place.ts';
import { createStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { mailWords, withNotes } from './mail-words.ts';
import { saveFile } from './save-file.ts';

export type ShareWhat = ReadInputOf<'share_page'>['what'];
export type ExportWhat = ReadInputOf<'make_export'>['what'];

export interface Exported {
  readonly what: ExportWhat;
  /** Title of the file; default: the name of the list. */
  readonly title?: string;
  /** The table's columns, by their names in exports. */
  readonly tableColumns: readonly string[];
}

export const columnChoices = [
  { value: 'all', label: 'All columns' },
  { value: 'table', label: 'Columns of the table' },
] as const;
export type ColumnChoice = (typeof columnChoices)[number]['value'];

export interface ShownFeed {
  readonly name: string;
  /** Relative to the address of the listener, which may be off or on another port later. */
  readonly paths: readonly string[];
  readonly leavesOutDoNotMail: boolean;
}

export const exportView = createStore<{
  readonly isOpen: boolean;
  readonly isMailOpen: boolean;
  /** What is being written now, in words; null: nothing. */
  readonly writing: string | null;
  readonly columns: ColumnChoice;
  readonly leavesOutDoNotMail: boolean;
  readonly leavesOutUnsafePhones: boolean;
  /** Outlines, and what was kept in the field near the parcels, in formats that hold them. */
  readonly takesFieldMarks: boolean;
  /** The parcels of the page to send whose dialog is open. */
  readonly sharing: ShareWhat | null;
  /** The one whose address is shown. */
  readonly feed: ShownFeed | null;
  /** Since the window was opened. */
  readonly feedsMade: number;
}>(null, {
  isOpen: false,
  isMailOpen: false,
  writing: null,
  columns: 'all',
  leavesOutDoNotMail: true,
  leavesOutUnsafePhones: true,
  takesFieldMarks: false,
  sharing: null,
  feed: null,
  feedsMade: 0,
});

/** Writes one file at a time; reports errors, and leaves nothing behind. */
async function write(label: string, work: () => Promise<void>): Promise<void> {
  if (exportView.get().writing !== null) return toast(`Wait until ${exportView.get().writing} is written.`);
  exportView.set({ writing: label });
  try {
    await work();
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  } finally {
    exportView.set({ writing: null });
  }
}

/** Absent: all of them. */
export const columnsWanted = ({ tableColumns }: Exported): { readonly columns?: readonly string[] } =>
  exportView.get().columns === 'table' ? { columns: tableColumns } : {};

/** The part of the engine's input that selects the parcels. */
const asked = ({ what, title }: Exported) => ({ what, ...(title === undefined ? {} : { title }) });

type OfferedFormat = ReadOutputOf<'export_formats'>['parcels'][number];

export const exportAs = (
  client: EngineClient,
  exported: Exported,
  { name: format, label, holds_marks: holdsMarks }: OfferedFormat,
): Promise<void> =>
  write(label, async () => {
    const { leavesOutDoNotMail, leavesOutUnsafePhones, takesFieldMarks } = exportView.get();
    const data = await client.read('make_export', {
      ...asked(exported),
      ...columnsWanted(exported),
      format,
      leave_out_do_not_mail: leavesOutDoNotMail,
      leave_out_unsafe_phones: leavesOutUnsafePhones,
      ...(takesFieldMarks && holdsMarks && { field_marks: true }),
      // KML has outlines anyway.
      ...(takesFieldMarks && format === 'gpx' && { outlines: true }),
    });
    saveFile(data);
    toast(withNotes(`${data.name}: ${plural(data.parcels, 'parcel', 'parcels')}.`, data.notes));
  });

export const mailAs = (client: EngineClient, exported: Exported, format: string, label: string): Promise<void> =>
  write(label, async () => {
    const data = await client.read('make_mail_merge', { ...asked(exported), format });
    saveFile(data);
    toast(mailWords(data));
  });

/** Everything kept in the field. */
type FieldNoteFormat = ReadInputOf<'make_field_export'>['format'];

export const fieldNoteFormats: readonly FieldNoteFormat[] = ['gpx', 'kml'];

export const saveFieldNotes = (client: EngineClient, format: FieldNoteFormat): Promise<void> =>
  write('the field notes', async () => {
    const data = await client.read('make_field_export', { format });
    const { waypoints, photos, tracks } = data;
    if (waypoints + photos + tracks === 0) return toast('Nothing is kept in the field yet.');
    saveFile(data);
    const counts = [plural(waypoints, 'waypoint', 'waypoints'), plural(tracks, 'track', 'tracks')];
    toast(withNotes(`${data.name}: ${counts.join(', ')}, ${plural(photos, 'photo', 'photos')}.`, data.notes));
  });

export const copyAsTsv = (client: EngineClient, exported: Exported): Promise<void> =>
  write('the text', async () => {
    const data = await client.read('make_tsv', {
      ...asked(exported),
      ...columnsWanted(exported),
      leave_out_do_not_mail: exportView.get().leavesOutDoNotMail,
    });
    const rows = plural(data.rows, 'row', 'rows');
    copyText(
      data.text,
      data.rows < data.of ? `Copied the first ${rows} of ${formatNumber(data.of)}` : `Copied ${rows}`,
    );
  });

let openedFrom: HTMLElement | null = null;

/** Ctrl+E: opens the screen's menu, if there is something to export. */
export function openExport(): void {
  if (document.querySelector('[data-export-menu]')) {
    openedFrom = lastPlace();
    exportView.set({ isOpen: true });
  } else toast('Nothing to export here: search in Explore, or open a list.');
}

/** Returned once: the focus before the keyboard opened the menu; null after a click. */
export function placeBeforeExport(): HTMLElement | null {
  const before = openedFrom;
  openedFrom = null;
  return before;
}
