/**
 * Classes of roads by the words of whoever publishes them: which column of a file says them, and what its values mean. A
 * proposal: a person looks at it before it is used.
 */
import { foldSpaces } from './text-fold.ts';

export const roadClasses = ['major_highway', 'normal_road', 'local_road'] as const;
export type RoadClass = (typeof roadClasses)[number];

/** Words for people and for `--classes`; `none`: not open to cars, or not a road. */
export const roadClassWords = {
  highway: { label: 'Highway', roadClass: 'major_highway' },
  main: { label: 'Main road', roadClass: 'normal_road' },
  local: { label: 'Local road', roadClass: 'local_road' },
  none: { label: 'Not a public road', roadClass: null },
} as const satisfies Record<string, { label: string; roadClass: RoadClass | null }>;
export type RoadClassWord = keyof typeof roadClassWords;
export const isRoadClassWord = (word: string): word is RoadClassWord => Object.hasOwn(roadClassWords, word);

/** Columns that the engine reads by itself. */
const known = /^(mtfcc|highway|fclass)$/i;
const named = /class|type|func|categ|fcc|hierarch|^rd|^road|^st_?typ/i;

/** The first that fits a value counts. A value that none fits is a local road: a missing road would call its lots landlocked. */
const words: readonly (readonly [RegExp, RoadClassWord])[] = [
  [/\b(trail|path|foot|walk|bike|cycle|bridle|snowmobile|paper|proposed|abandoned|discontinued|rail|ferry)/i, 'none'],
  [/\b(interstate|freeway|expressway|motorway|turnpike|trunk|us (highway|route))\b/i, 'highway'],
  [/\b(highway|arterial|collector|state|county|primary|secondary|major)\b/i, 'main'],
  [
    /\b(local|street|residential|town|city|municipal|minor|rural|private|alley|ramp|service|drive|lane|court)\b/i,
    'local',
  ],
];

const wordOf = (value: string): RoadClassWord | null => words.find(([pattern]) => pattern.test(value))?.[1] ?? null;

interface ValueCount {
  readonly value: string;
  readonly count: number;
}

interface ColumnValues {
  readonly name: string;
  /** Null: too many to be classes. */
  readonly values: readonly ValueCount[] | null;
}

export interface RoadClassesProposed {
  readonly column: string;
  readonly values: readonly (ValueCount & {
    readonly word: RoadClassWord;
    /** Whether its words say so; else it is taken for a local road. */
    readonly isKnown: boolean;
  })[];
}

/** Columns that may hold classes, the likeliest first; null for a file whose classes are read by themselves. */
export function proposeRoadClasses(columns: readonly ColumnValues[]): readonly RoadClassesProposed[] | null {
  if (columns.some(({ name }) => known.test(name))) return null;
  return columns
    .flatMap(({ name, values }) => {
      const filled = values?.filter(({ value }) => value !== '') ?? [];
      if (filled.length < 2) return [];
      const rows = filled.reduce((sum, { count }) => sum + count, 0);
      const understood = filled.reduce((sum, { value, count }) => sum + (wordOf(value) ? count : 0), 0) / rows;
      const repeats = 1 - filled.length / rows;
      const score = (named.test(name) ? 1 : 0) + understood + repeats;
      return score > 1 ? [{ name, values: filled, score }] : [];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ name, values }) => ({
      column: name,
      values: values.map((one) => ({
        ...one,
        word: wordOf(one.value) ?? 'local',
        isKnown: wordOf(one.value) !== null,
      })),
    }));
}

/** `II=main, V=local, VI=none`, or the part that is none of these. A value may hold commas: `Road, paved=local`. */
export function parseRoadClasses(text: string): { classes: Record<string, RoadClass | null> } | { problem: string } {
  const classes: [string, RoadClass | null][] = [];
  for (const part of text.split(/(?<==[^,=]*),/).map((one) => one.trim())) {
    const at = part.lastIndexOf('=');
    const word = foldSpaces(part.slice(at + 1)).toLowerCase();
    if (at < 1 || !isRoadClassWord(word)) return { problem: part };
    classes.push([part.slice(0, at).trim(), roadClassWords[word].roadClass]);
  }
  return { classes: Object.fromEntries(classes) };
}

/** As a person types it, ready to be changed. */
export const roadClassesText = ({ values }: RoadClassesProposed): string =>
  values.map(({ value, word }) => `${value}=${word}`).join(', ');
