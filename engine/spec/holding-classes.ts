/** How the holdings of a plat book are named, best first; `cell`: only by their place in the list of small parcels. */
import { grouped } from './counted.ts';

export const labelClasses = ['full', 'smaller', 'abbreviated', 'initials', 'number', 'cell'] as const;
export type LabelClass = (typeof labelClasses)[number];

/** Holdings by class; `no_shape` are in the index alone. */
export type HoldingClasses = Readonly<Record<LabelClass | 'no_shape', number>>;

/** @param hasNames false: parcels stand by their APN */
const wordsOf = (hasNames: boolean): Readonly<Record<keyof HoldingClasses, string>> => ({
  full: hasNames ? 'by full name' : 'by APN',
  smaller: hasNames ? 'in small letters' : 'by APN in small letters',
  abbreviated: 'abbreviated',
  initials: 'by initials',
  number: 'by red number',
  cell: 'by page and cell',
  no_shape: 'in the index alone, without a shape',
});

/** `1,038 by full name, 96 in small letters, 316 by red number`: those that occur. */
export function classWords(classes: HoldingClasses, hasNames: boolean): string {
  const words = wordsOf(hasNames);
  return [...labelClasses, 'no_shape' as const]
    .filter((name) => classes[name] > 0)
    .map((name) => `${grouped(classes[name])} ${words[name]}`)
    .join(', ');
}
