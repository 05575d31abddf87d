/** Copies text, with a message. */
import { toast } from '../state/toasts.ts';

export function copyText(text: string, done = 'Copied'): void {
  navigator.clipboard.writeText(text).then(
    () => toast(done),
    () => toast('The browser does not let this page copy. Select the text and copy it yourself.'),
  );
}
