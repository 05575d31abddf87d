/** What a row of a file of sales says of its deed: the number, who sold, who bought. */
import { foldWords } from '../../spec/text-fold.ts';

const headings = {
  deed: /\b(DEED|INSTRUMENT|INSTR|DOC|DOCUMENT|RECEPTION|RECORDING|BOOK ?PAGE|EXCISE)\b(?! ?(TYPE|DATE|CODE))/,
  seller: /\b(GRANTOR|SELLER)\b/,
  buyer: /\b(GRANTEE|BUYER|PURCHASER)\b/,
} as const;

export type Parties = Readonly<Record<keyof typeof headings, string | null>>;
type Columns = Readonly<Record<keyof typeof headings, string | undefined>>;

/** Of the row before: headings are the same in a whole file. */
let last: { readonly names: string; readonly columns: Columns } | null = null;

function columnsOf(properties: Readonly<Record<string, unknown>>): Columns {
  const names = Object.keys(properties);
  const joined = names.join('\u0000');
  if (last?.names !== joined) {
    const heading = (words: RegExp) => names.find((name) => words.test(foldWords(name)));
    last = {
      names: joined,
      columns: { deed: heading(headings.deed), seller: heading(headings.seller), buyer: heading(headings.buyer) },
    };
  }
  return last.columns;
}

export function partiesOf(properties: Readonly<Record<string, unknown>>): Parties {
  const columns = columnsOf(properties);
  const textOf = (column: string | undefined) =>
    column === undefined ? null : String(properties[column] ?? '').trim() || null;
  return { deed: textOf(columns.deed), seller: textOf(columns.seller), buyer: textOf(columns.buyer) };
}
