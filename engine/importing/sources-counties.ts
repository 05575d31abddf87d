/** Counties for use without an open home: from the table that fills land files. */
import fs from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../package-root.ts';
import { foldWords } from '../spec/text-fold.ts';

export interface CountyName {
  readonly fips: string;
  /** Two letters. */
  readonly state: string;
  readonly name: string;
}

function readCounties(): CountyName[] {
  const text = fs.readFileSync(path.join(packageRoot, 'data', 'counties.csv'), 'utf8');
  return text
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','))
    .flatMap(([fips, state, name]) => (fips && state && name ? [{ fips, state, name }] : []));
}

/** Null for an unknown code. @param fips five digits */
export const findCounty = (fips: string): CountyName | null => readCounties().find((one) => one.fips === fips) ?? null;

/** Counties whose name and state contain all words of a text: `grafton nh`; a whole name returns only its county. */
export function searchCounties(text: string): CountyName[] {
  const words = foldWords(text).trim();
  if (words === '') return [];
  const found = readCounties().filter(({ name, state }) => {
    const known = foldWords(`${name} ${state}`);
    return words.split(' ').every((word) => known.includes(` ${word} `));
  });
  const exact = found.filter(({ name, state }) => foldWords(`${name} ${state}`).trim() === words);
  return exact.length === 1 ? exact : found;
}
