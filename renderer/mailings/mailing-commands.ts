/** The keys of a mailing: they act on the chosen letters. */
import type { EngineClient } from '../client/engine-client.ts';
import { listView } from '../lists/list-state.ts';
import { focusNow } from '../state/focus-place.ts';
import { toast } from '../state/toasts.ts';
import { type Choice, chooseLetters, shownMailing } from './mailing-state.ts';

/** The next letter is chosen at once: the change is written behind it. */
function decide(client: EngineClient, choice: Choice): void {
  const mailing = shownMailing();
  const { selected } = listView.get();
  if (mailing === null) return;
  if (selected.length === 0) return void toast('Choose a letter: arrow keys, or a press on its row');
  void chooseLetters(client, mailing, selected, choice);
  const grid = document.activeElement?.closest('[role=grid]') ?? focusNow('table');
  grid?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
}

export const mailingActions: readonly {
  readonly id: string;
  readonly title: string;
  readonly keys: string;
  readonly run: (client: EngineClient) => void;
}[] = [
  { id: 'keep', title: 'Keep the letter, and go to the next', keys: 'k', run: (client) => decide(client, 'keep') },
  {
    ...{ id: 'leave-out', title: 'Leave the letter out, and go to the next', keys: 'o' },
    run: (client) => decide(client, 'leave_out'),
  },
];
