/**
 * The menus: one row each. A row runs one of the window's commands (renderer/commands.ts, whose keys it repeats; a test
 * compares them), or a function of main that a page lacks.
 */
import type { MenuItemConstructorOptions } from 'electron/main';

export type MenuAction = 'choose_files' | 'choose_folder' | 'open_home' | 'open_sample' | 'show_home' | 'about';

type MenuRow =
  | 'line'
  | { readonly label: string; readonly command: string; readonly keys?: string }
  | { readonly label: string; readonly action: MenuAction; readonly keys?: string }
  | { readonly role: NonNullable<MenuItemConstructorOptions['role']>; readonly on?: 'mac' | 'others' };

interface MenuColumn {
  readonly label: string;
  readonly rows: readonly MenuRow[];
}

const screens = ['Explore', 'Desk', 'Lists', 'Comps', 'Markets', 'Import', 'Print', 'Settings'];

export const menuTable: readonly MenuColumn[] = [
  {
    label: 'File',
    rows: [
      { label: 'Import Files …', action: 'choose_files', keys: 'shift+mod+i' },
      { label: 'Import a Folder …', action: 'choose_folder' },
      'line',
      { label: 'Export …', command: 'export', keys: 'mod+e' },
      { label: 'Save the Parcel Sheet …', command: 'save-sheet' },
      { label: 'Print the Parcel Sheet', command: 'print-sheet', keys: 'mod+p' },
      { label: 'Print a Plat Book …', command: 'print-book' },
      'line',
      { label: 'Open My Data', action: 'open_home' },
      { label: 'Open the Sample County', action: 'open_sample' },
      { label: 'Show the Data Folder', action: 'show_home' },
      'line',
      { role: 'close' },
      { role: 'quit', on: 'others' },
    ],
  },
  {
    label: 'Edit',
    rows: [
      { label: 'Undo', command: 'undo', keys: 'mod+z' },
      { label: 'Redo', command: 'redo', keys: 'shift+mod+z' },
      'line',
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'selectAll' },
      'line',
      { label: 'Find an Address, APN or Owner', command: 'find' },
      { label: 'Where Am I', command: 'where-am-i' },
      { label: 'Find a Command …', command: 'palette', keys: 'mod+k' },
    ],
  },
  {
    label: 'View',
    rows: [
      ...screens.map((label) => ({ label, command: `screen-${label.toLowerCase()}` })),
      'line',
      { label: 'Next Theme', command: 'theme' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
    ],
  },
  {
    label: 'Help',
    rows: [
      { label: 'Keyboard Shortcuts', command: 'shortcuts' },
      { label: 'About Platbook', action: 'about' },
    ],
  },
];

/** `shift+mod+z` → `Shift+CommandOrControl+Z`. */
export function acceleratorOf(keys: string): string {
  const names: Record<string, string> = { mod: 'CommandOrControl', shift: 'Shift', alt: 'Alt' };
  return keys
    .split('+')
    .map((key) => names[key] ?? key.toUpperCase())
    .join('+');
}

interface MenuEars {
  readonly command: (id: string) => void;
  readonly action: (action: MenuAction) => void;
}

/** @param platform from `process.platform` */
export function menuTemplate(
  table: readonly MenuColumn[],
  platform: string,
  ears: MenuEars,
): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const columns = table.map(({ label, rows }) => ({ label, submenu: rows.flatMap((row) => itemOf(row, isMac, ears)) }));
  return isMac ? [{ role: 'appMenu' }, ...columns, { role: 'windowMenu' }] : columns;
}

function itemOf(row: MenuRow, isMac: boolean, { command, action }: MenuEars): MenuItemConstructorOptions[] {
  if (row === 'line') return [{ type: 'separator' }];
  if ('role' in row) return row.on === undefined || (row.on === 'mac') === isMac ? [{ role: row.role }] : [];
  const accelerator = row.keys === undefined ? {} : { accelerator: acceleratorOf(row.keys) };
  if ('action' in row) return [{ label: row.label, ...accelerator, click: () => action(row.action) }];
  // The page handles these keys itself, because it knows whether the user is typing; the menu only shows them.
  return [{ label: row.label, ...accelerator, registerAccelerator: false, click: () => command(row.command) }];
}
