/** Inks of a book: pale grounds, so that names stay black on white, and told apart in gray too. */
import { inkOf } from '../exporting/pdf-page.ts';
import type { OwnerKind } from './holdings.ts';

export const bookInks = {
  ink: inkOf('#1B1A18'),
  quiet: inkOf('#5A5751'),
  outline: inkOf('#3D3A35'),
  inner: inkOf('#8D877C'),
  other: inkOf('#B9B4AA'),
  number: inkOf('#9B1C1C'),
  page: inkOf('#8B1A1A'),
  link: inkOf('#1F51A3'),
  survey: inkOf('#A8452F'),
  section: inkOf('#F3CFC4'),
  township: inkOf('#E8AE9D'),
  water: inkOf('#BEDDF5'),
  waterLine: inkOf('#5C97C9'),
  waterLetters: inkOf('#2A6496'),
  road: inkOf('#FFFFFF'),
  mainRoad: inkOf('#F6B451'),
  roadEdge: inkOf('#4A4640'),
  roadLetters: inkOf('#6A4E14'),
  building: inkOf('#D3CDC0'),
  buildingDot: inkOf('#3A3733'),
  rail: inkOf('#4A4640'),
  white: inkOf('#FFFFFF'),
} as const;

/** Grounds by owner, with their words in the legend. */
export const grounds: Readonly<Record<OwnerKind, { readonly title: string; readonly ink: ReturnType<typeof inkOf> }>> =
  {
    public: { title: 'public', ink: inkOf('#D6EACA') },
    company: { title: 'company', ink: inkOf('#FBEAD8') },
    person: { title: 'person or trust', ink: inkOf('#FFFDF1') },
    unknown: { title: 'owner not stated', ink: inkOf('#F6F5F3') },
  };
