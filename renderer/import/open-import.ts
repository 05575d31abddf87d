/** Ctrl+I: the wizard where it stands, else its beginning with the path ready to be typed. */
import { goTo } from '../state/navigation.ts';
import { importing } from './import-state.ts';

/** Time for the screen to be drawn. */
const drawMilliseconds = 60;

export function openImport(): void {
  importing.set({ view: 'new' });
  goTo('import');
  if (importing.get().step !== 'choose') return;
  setTimeout(() => document.querySelector<HTMLInputElement>('[data-focus="import-path"]')?.select(), drawMilliseconds);
}
