/** Guesses the columns in which a county judges its sales: whether the land was vacant, whether the sale was ordinary. */
import { foldWords } from '../../spec/text-fold.ts';
import type { Expression } from '../mapping/mapping-schema.ts';
import { yesOrNo } from '../values/convert-value.ts';
import { readSaleCode, standardQualifiedCodes } from './comp-screens.ts';

type ScreenColumn = 'is_land' | 'is_qualified';
export const isScreen = (column: string): column is ScreenColumn => column === 'is_land' || column === 'is_qualified';

/** A column of more different values is no code. */
const mostValues = 40;
const shownValues = 4;

const words = (list: string): ReadonlySet<string> => new Set(list.split('|').map(foldWords));
const vacantWords = words(
  'V|VAC|VACANT|VACANT LAND|VACANT LOT|VACANT LOTS|LAND|LAND ONLY|LOT|LOTS|LOTS LAND|LOTS AND LAND|LOT LAND|LOTS ACREAGE|BARE LAND|RAW LAND|UNIMPROVED|UNIMPROVED LAND|ACREAGE|VACANT RESIDENTIAL|RESIDENTIAL LAND|RESIDENTIAL VACANT|FARM LAND|FARMLAND',
);
const qualifiedWords = words(standardQualifiedCodes.join('|'));

/** Yes under a heading like IMPROVED says that it is no bare land. */
const asksForBuilding = (heading: string): boolean =>
  /\b(IMPROVED|IMPR?|IMPROVEMENTS?|BUILDINGS?)\b/.test(foldWords(heading)) && !/\bVAC(ANT)?\b/.test(foldWords(heading));

/** Codes that mean yes: of the county, or the usual words where the column has no others. */
function isGood(column: ScreenColumn, heading: string, value: string, areYesOrNo: boolean): boolean {
  const { verdict, isVacant } = readSaleCode(value);
  if (column === 'is_qualified')
    return qualifiedWords.has(foldWords(verdict)) || (areYesOrNo && yesOrNo(value) === true);
  if (areYesOrNo) return yesOrNo(value) !== asksForBuilding(heading);
  return vacantWords.has(foldWords(value)) || isVacant === true;
}

/**
 * @param cells the values below the heading, null where blank
 * @returns which values stay, with the share of rows that do not; null for a column that judges nothing
 */
export function guessScreen(
  column: ScreenColumn,
  heading: string,
  cells: readonly (string | null)[],
): { readonly expression: Expression; readonly reason: string } | null {
  const values = [...new Set(cells.filter((cell) => cell !== null))];
  const areYesOrNo = values.every((value) => yesOrNo(value) !== null);
  const good = values.filter((value) => isGood(column, heading, value, areYesOrNo));
  if (good.length === 0 || values.length > mostValues) return null;
  const bad = values.filter((value) => !good.includes(value));
  const out = cells.filter((cell) => cell === null || !good.includes(cell)).length;
  const what = [...bad.slice(0, shownValues), ...(bad.length > shownValues ? ['…'] : []), 'blank'].join(', ');
  return {
    expression: { from: heading, yes: good },
    reason: `${good.slice(0, shownValues).join(', ')} ${good.length === 1 ? 'stays' : 'stay'}; ${what}: left out, ${out} of the first ${cells.length} rows`,
  };
}
