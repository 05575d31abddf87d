/** Ctrl+I: the wizard where it stands, else its beginning with the path ready to be typed. */
import { focusWhenThere } from '../state/focus-place.ts';
import { goTo } from '../state/navigation.ts';
import { importing } from './import-state.ts';

export function openImport(): void {
  importing.set({ view: 'new' });
  goTo('import');
  if (importing.get().step !== 'choose') return;
  // The field takes its whole text when it is focused.
  focusWhenThere('import-path');
}
