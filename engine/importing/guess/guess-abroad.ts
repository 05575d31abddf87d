/** Owners abroad: their postal code is no ZIP, and stands with the country in the mailing address. */
import type { Expression } from '../mapping/mapping-schema.ts';
import type { GuessedColumn } from './guess-mapping.ts';
import type { SampledColumn } from './guess-sources.ts';
import { percentWords } from './list-proposal.ts';

/** Names of the United States, and territories with ZIP codes, as rolls write countries. */
const home =
  /^(?:U\.? ?S\.?(?: ?A\.?)?|UNITED STATES(?: OF AMERICA)?|AMERICA|PR|PRI|PUERTO RICO|GU|GUM|GUAM|VI|VIR|AS|ASM|MP|MNP)$/i;
const usual = ['USA', 'US', 'UNITED STATES'];
/** A column of countries mostly names the United States, in words that are known. */
const leastHome = 0.5;

const isCountry = ({ words }: SampledColumn): boolean =>
  words.some(({ concepts }) => concepts.includes('country')) &&
  words.every(({ concepts }) =>
    concepts.some((one) => ['country', 'mail', 'owner', 'taxpayer', 'code', 'name'].includes(one)),
  );

/** The columns of a guess, those of the mailing address parted by the country that a column names. */
export function withCountries(guessed: readonly GuessedColumn[], columns: readonly SampledColumn[]): GuessedColumn[] {
  const zip = guessed.find(({ column }) => column === 'mailing_zip');
  const country = zip && columns.find(isCountry);
  const named = country?.values.filter((value) => value !== null) ?? [];
  const homes = named.filter((text) => home.test(text));
  if (!zip || !country || homes.length === named.length || homes.length < leastHome * named.length) return [...guessed];
  const at = country.name;
  const codes = [...new Set([...usual, ...homes])];
  const mapped = (to: string | null) => Object.fromEntries(codes.map((code) => [code, to]));
  const abroadOnly: Expression = { from: [at, { constant: 'US' }], map: mapped('US'), otherwise: null };
  const share = percentWords((named.length - homes.length) / country.values.length);
  const reason = `${at} names another country on ${share} of rows: the postal code stands there with the address`;
  return guessed.map((one): GuessedColumn => {
    const reasons = [...one.reasons, reason];
    const { column, source, expression } = one;
    if (column === 'mailing_zip') {
      const abroad = { from: at, map: mapped(null), otherwise: 'abroad' };
      return {
        ...one,
        reasons,
        source: `${source} in the US`,
        expression: { from: [abroad, expression], nullIf: ['abroad'] },
      };
    }
    if (column !== 'mailing_address') return one;
    const code: Expression = { from: [abroadOnly, zip.expression], nullIf: ['US'] };
    const parts = [expression, code, { from: at, map: mapped(null) }];
    return { ...one, reasons, source: `${source} + ${at}`, expression: { concat: parts, separator: ' ' } };
  });
}
