/** The messages about finished letters, and about a file with its notes. */
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { formatNumber, plural } from '../parts/format.ts';

type Mail = ReadOutputOf<'make_mail_merge'>;

export const withNotes = (text: string, notes: readonly string[]): string => [text, ...notes].join(' ');

const reasons: Readonly<Record<keyof Mail['left_out'], string>> = {
  gone: 'no longer in the file',
  do_not_mail: 'Do not mail',
  no_address: 'without a mailing address',
  no_name: 'without an owner name',
};

/** The result, and why some parcels get no letter. */
export function mailWords({ name, letters, parcels, left_out: leftOut, notes }: Mail): string {
  const said = (Object.keys(reasons) as (keyof Mail['left_out'])[])
    .filter((reason) => leftOut[reason] > 0)
    .map((reason) => `${formatNumber(leftOut[reason])} ${reasons[reason]}`);
  const head = `${name}: ${plural(letters, 'letter', 'letters')} for ${plural(parcels, 'parcel', 'parcels')}.`;
  return withNotes(head, [...(said.length > 0 ? [`Left out: ${said.join(', ')}.`] : []), ...notes]);
}
