/** A skip trace in words. */
import type { OutputOf } from '../../engine/operations/index.ts';
import type { ReadOutputOf } from '../../engine/reads/index.ts';

export type TraceResult = OutputOf<'skip_trace_owner'>;
export type Phone = TraceResult['phones'][number];
export type TracedPerson = NonNullable<ReadOutputOf<'trace_preview'>['person']>;

/** `(937) 555-0117`. */
export const formatPhone = (digits: string): string => digits.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');

export const lineWords = ({ line_type: type }: Phone): string => type ?? 'Unknown';

interface DncLook {
  readonly text: 'DNC Yes' | 'DNC Unknown' | 'DNC No';
  /** Unknown is amber, not neutral: it is no permission to call. */
  readonly look: 'bad' | 'warn' | '';
}

export function dncOf({ dnc }: Phone): DncLook {
  if (dnc === null) return { text: 'DNC Unknown', look: 'warn' };
  return dnc ? { text: 'DNC Yes', look: 'bad' } : { text: 'DNC No', look: '' };
}

export const personName = ({ firstName, middleName, lastName, suffix }: TracedPerson): string =>
  [firstName, middleName, lastName, suffix].filter(Boolean).join(' ').toUpperCase();

/** `31 Larkspur Court, Dayton, OH 45402`. */
export const personPlace = ({ address, city, state, zip }: TracedPerson): string =>
  [address, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');

/** One number per line with its facts. Numbers on the registry only if requested. */
export const copiedPhones = (phones: readonly Phone[], withDnc: boolean): string =>
  phones
    .filter(({ dnc }) => withDnc || dnc !== true)
    .map((phone) => `${formatPhone(phone.number)}\t${lineWords(phone)}\t${dncOf(phone).text}`)
    .join('\n');
