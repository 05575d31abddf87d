/** Ctrl+I: the wizard at its current step, else its first step with the path field focused. */
import { focusWhenThere } from '../state/focus-place.ts';
import { goTo } from '../state/navigation.ts';
import { importing } from './import-state.ts';

export function openImport(): void {
  importing.set({ view: 'new' });
  goTo('import');
  if (importing.get().step !== 'choose') return;
  // The field selects its whole text when focused.
  focusWhenThere('import-path');
}
