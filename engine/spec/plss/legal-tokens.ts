/** Cuts a legal description into its words: townships, ranges, sections, aliquot parts, lots, a meridian. */
import type { AliquotStep } from './aliquot.ts';
import { meridianPattern } from './meridians.ts';

export type Token = { readonly at: number; readonly end: number } & (
  | { readonly type: 'township' | 'range'; readonly text: string }
  | { readonly type: 'sections'; readonly numbers: readonly number[] }
  | { readonly type: 'step'; readonly step: AliquotStep }
  | { readonly type: 'all' }
  | { readonly type: 'lots'; readonly numbers: readonly number[] }
  | { readonly type: 'meridian'; readonly name: string }
  | { readonly type: 'of' | 'and' | 'comma' | 'colon' | 'stop' }
  | { readonly type: 'except' | 'unread' }
);

type Found = Token extends infer One ? (One extends Token ? Omit<One, 'at' | 'end'> : never) : never;

interface Rule {
  readonly pattern: RegExp;
  /** Null: the words mean something else here. Several tokens share the place. */
  readonly read: (match: RegExpExecArray) => readonly Found[] | null;
}

const rule = (pattern: string, read: Rule['read']): Rule => ({ pattern: new RegExp(pattern, 'iy'), read });

const quarterMark = String.raw`\s*(?:¼|1\s*\/\s*4(?!\d)|\/\s*4(?!\d)|4(?![\d-])|(?:one[-\s]*)?(?:quarter|fourth)\b|qtr\b\.?|q\b\.?)`;
const halfMark = String.raw`(?:\s*½|\s*1\s*\/\s*2(?!\d)|\s*\/\s*2(?!\d)|2(?![\d-])|\s*(?:one[-\s]*)?half\b)`;
/** What makes bare letters an aliquot part: another part, `of`, a section, or the end behind them. */
const partFollows = String.raw`(?=\s*(?:of\b|(?:NE|NW|SE|SW)|[NSEW]\s*(?:½|2|1\s*\/\s*2|\/\s*2)|S(?:ec(?:tion)?s?)?\b\.?\s*\d|S\d|\d{1,2}-\d|[,;:&.]|and\b|T\.?\s*\d|$))`;
const fraction = String.raw`(½|\.5|\s1\s*\/\s*2)?`;

const quarterOf = (text: string): AliquotStep => text.toUpperCase().replace(/[^NSEW]/g, '') as AliquotStep;
const wordQuarter = (north: string, east: string): AliquotStep =>
  `${north.charAt(0)}${east.charAt(0)}`.toUpperCase() as AliquotStep;

/** `T5N`; null for a township 0. */
function gridText(letter: 'T' | 'R', number = '', half: string | undefined, side = ''): string | null {
  const count = Number(number);
  return count === 0 ? null : `${letter}${count}${half === undefined ? '' : '½'}${side.charAt(0).toUpperCase()}`;
}

const township = (match: RegExpExecArray, first: number): Found[] | null => {
  const text = gridText('T', match[first], match[first + 1], match[first + 2]);
  return text === null ? null : [{ type: 'township', text }];
};
const range = (match: RegExpExecArray, first: number): Found[] | null => {
  const text = gridText('R', match[first], match[first + 1], match[first + 2]);
  return text === null ? null : [{ type: 'range', text }];
};

/** A township has 36 sections. */
const mostSection = 36;

function sections(text: string): Found[] | null {
  const numbers = numbersOf(text);
  const areSections = numbers?.every((number) => number >= 1 && number <= mostSection) ?? false;
  return numbers !== null && areSections ? [{ type: 'sections', numbers }] : null;
}

const units = 'one two three four five six seven eight nine'.split(' ');
const small = [
  ...units,
  ...'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' '),
];
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const numberWords = new Map([
  ...small.map((word, at) => [word, at + 1] as const),
  ...tens.flatMap((word, at) => [
    [word, 10 * (at + 2)] as const,
    ...units.map((unit, more) => [`${word}${unit}`, 10 * (at + 2) + more + 1] as const),
  ]),
]);
const anyNumberWord = `(?:(?:${tens.join('|')})[-\\s]*(?:${units.join('|')})|${[...small].reverse().join('|')}|${tens.join('|')})`;
const writtenNumber = new RegExp(
  String.raw`\b(${anyNumberWord})\b(?:\s*\(0*(\d{1,3})\))?|(?<=\d\s*)\(0*(\d{1,3})\)`,
  'gi',
);
/** What a number in words belongs to: elsewhere ONE may be half a fraction, and SIX a name. */
const isNumbered = /\b(?:sec(?:tion)?s?|lots?|t(?:ownship|wn?s?p|wp)|r(?:ange|ng|ge|g))\b\.?\s*$/i;

/** `Twelve (12)` → `12`, of the same length, so that places stay. Words and figures that differ are left. */
const inFigures = (text: string): string =>
  text.replace(writtenNumber, (whole: string, words?: string, figures?: string, again?: string, ...rest: unknown[]) => {
    const before = text.slice(0, rest[0] as number);
    // `12 (12)`
    if (again !== undefined)
      return Number(/(\d+)\s*$/.exec(before)?.[1]) === Number(again) ? ' '.repeat(whole.length) : whole;
    const number = numberWords.get((words as string).toLowerCase().replace(/[-\s]/g, ''));
    const isRead = figures === undefined ? isNumbered.test(before) : Number(figures) === number;
    return isRead ? String(number).padEnd(whole.length) : whole;
  });

/** `1, 2 & 5-7`; null if a span runs backwards. */
function numbersOf(text: string): number[] | null {
  const numbers: number[] = [];
  for (const [, from, to] of text.matchAll(/(\d+)(?:\s*(?:-|–|to|thru|through)\s*(\d+))?/gi)) {
    const [first, last] = [Number(from), Number(to ?? from)];
    if (last < first || last - first > 40) return null;
    for (let number = first; number <= last; number++) numbers.push(number);
  }
  return numbers;
}

const list = String.raw`\d{1,3}(?:\s*(?:-|–|to|thru|through|,\s*and|,\s*&|,|&|and)\s*\d{1,3}(?![\d\/½¼NSEW]|\s*\/))*`;
const one = (type: 'of' | 'and' | 'comma' | 'colon' | 'stop' | 'except' | 'all') => (): Found[] => [{ type }];

/** The first that matches wins. */
const rules: readonly Rule[] = [
  rule(String.raw`(?:less|except(?:ing)?|exc|excluding|minus|save)\b\.?`, one('except')),
  rule(String.raw`(?:all|entire)\b(?:\s+of\b)?`, one('all')),
  rule(meridianPattern, ([name]) => [{ type: 'meridian', name: name.trim() }]),
  // 12-5N-3W
  rule(
    String.raw`(?:S(?:ec(?:tion)?)?\.?\s*)?(\d{1,3})-T?0*(\d{1,3})${fraction}([NS])-R?0*(\d{1,3})${fraction}([EW])\b`,
    (match) => {
      const parts = [sections(match[1] ?? ''), township(match, 2), range(match, 5)];
      return parts.some((part) => part === null) ? null : (parts.flat() as Found[]);
    },
  ),
  // 5N-3W-12, 5N 3W
  rule(
    String.raw`0*(\d{1,3})${fraction}([NS])[-\s]+0*(\d{1,3})${fraction}([EW])\b(?:-(\d{1,3})\b|\s+(\d{1,2})\s*$)?`,
    (match) => {
      const section = match[7] ?? match[8];
      const found = [township(match, 1), range(match, 4), section === undefined ? [] : sections(section)];
      return found.some((part) => part === null) ? null : (found.flat() as Found[]);
    },
  ),
  rule(String.raw`T(?:ownship|wn?s?p|wp)?\.?[-\s]*0*(\d{1,3})${fraction}[-\s]*(N(?:orth)?|S(?:outh)?)\b\.?`, (match) =>
    township(match, 1),
  ),
  // T5NR3W
  rule(String.raw`T\.?\s*0*(\d{1,3})${fraction}([NS])(?=R\d)`, (match) => township(match, 1)),
  rule(String.raw`R(?:ange|ng|ge|g)?\.?[-\s]*0*(\d{1,3})${fraction}[-\s]*(E(?:ast)?|W(?:est)?)\b\.?`, (match) =>
    range(match, 1),
  ),
  rule(String.raw`(?:gov(?:ernmen)?t\.?\s*)?(?:lots?|lts?)\b\.?\s*(${list})`, (match) => {
    // A lot of a plat lies in a block.
    if (/^[\s,]*(?:of\s+)?bl(?:oc)?k/i.test(match.input.slice(match.index + match[0].length))) return null;
    const numbers = numbersOf(match[1] ?? '');
    return numbers === null ? null : [{ type: 'lots', numbers }];
  }),
  rule(String.raw`(north|south)\s*-?\s*(east|west)(?:ern|erly)?${quarterMark}`, ([, north = '', east = '']) => [
    { type: 'step', step: wordQuarter(north, east) },
  ]),
  rule(`(north|south|east|west)(?:ern|erly)?${halfMark}`, ([, side = '']) => [
    { type: 'step', step: quarterOf(side.charAt(0)) },
  ]),
  rule(String.raw`([NS])\.?\s?([EW])\.?${quarterMark}`, ([, north = '', east = '']) => [
    { type: 'step', step: wordQuarter(north, east) },
  ]),
  rule(String.raw`S2(?=\s*$|[\s,;-]+(?:T|R|of\s+T)\.?\s*\d)`, () => sections('2')),
  rule(String.raw`([NSEW])\.?${halfMark}`, ([, side = '']) => [{ type: 'step', step: quarterOf(side) }]),
  rule(`(NE|NW|SE|SW)${partFollows}`, ([, quarter = '']) => [{ type: 'step', step: quarterOf(quarter) }]),
  rule(String.raw`(?:sections|secs)\b\.?\s*(${list})`, (match) => sections(match[1] ?? '')),
  rule(String.raw`S(?:ec(?:tion|t)?)?\.?[-\s]*0*(\d{1,3})(?![\d½¼]|\s*\/|\.\d)`, (match) => sections(match[1] ?? '')),
  rule(String.raw`of\b(?:\s+the\b)?|in\b(?:\s+the\b)?`, one('of')),
  rule(String.raw`the\b`, () => []),
  rule(String.raw`and\b|&|\+`, one('and')),
  rule(',', one('comma')),
  rule(':', one('colon')),
  rule(String.raw`;|\.(?!\d)|-(?=\s|[ST]\.?\s*\d|R\d)`, one('stop')),
];

const isWithinWord = (text: string, at: number): boolean => /^[\p{L}\p{N}]{2}/u.test(text.slice(at - 1, at + 1));

/** Every part of the text is in a token, apart from blanks. */
export function legalTokens(written: string): Token[] {
  const text = inFigures(written);
  const tokens: Token[] = [];
  let at = 0;
  let isAfterToken = true;
  while (at < text.length) {
    const blank = /\s+/y;
    blank.lastIndex = at;
    at += blank.exec(text)?.[0].length ?? 0;
    if (at >= text.length) break;
    // Tokens may touch (`NE4SW4`, `T5NR3W`); other words are read as a whole.
    const found: Reading | null = isAfterToken || !isWithinWord(text, at) ? firstOf(text, at) : null;
    isAfterToken = found !== null;
    const end = found?.end ?? at + (/^[\p{L}\p{N}'’/]+|^./u.exec(text.slice(at))?.[0].length ?? 1);
    for (const token of found?.tokens ?? [{ type: 'unread' } as const]) tokens.push({ ...token, at, end } as Token);
    at = end;
  }
  return tokens;
}

interface Reading {
  readonly tokens: readonly Found[];
  readonly end: number;
}

function firstOf(text: string, at: number): Reading | null {
  for (const { pattern, read } of rules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const tokens = match && match[0].length > 0 ? read(match) : null;
    if (match && tokens) return { tokens, end: at + match[0].length };
  }
  return null;
}
