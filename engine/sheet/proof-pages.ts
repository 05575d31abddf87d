/** The proof of a notice: to whom it goes, how they were found, from which data, with a line to sign. */
import type { PdfPage } from '../exporting/pdf-page.ts';
import { wrapText } from '../exporting/wrap-text.ts';
import { boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { counted, grouped } from '../spec/counted.ts';
import { formatDate } from '../spec/date-words.ts';
import { foldText } from '../spec/text-fold.ts';
import type { ParcelDetail } from '../spec/wire-types.ts';
import type { LandStore } from '../store/land-store.ts';
import type { Addressed } from './addressed-lots.ts';
import { parcelSources } from './map-content.ts';
import { type Column, drawHeads, drawRow, lastRow, margin, right, rowStep, ruleOff } from './page-table.ts';
import { inks } from './sheet-inks.ts';

const proofColumns = {
  number: { head: 'No.', x: margin, room: 17, isNumber: true },
  apn: { head: 'APN', x: margin + 23, room: 82 },
  owner: { head: 'Owner', x: margin + 110, room: 200 },
  mailing: { head: 'Mailing address', x: margin + 315, room: 225 },
} as const satisfies Record<string, Column>;

export interface Proof {
  readonly apn: string;
  readonly parcel: ParcelDetail;
  readonly shape: MultiPolygon;
  readonly feet: number | null;
  /** Number of lots. */
  readonly lots: number;
  readonly accounts: readonly { readonly number: number; readonly account: Addressed }[];
  readonly madeAt: Date;
}

/** @param addPage called for each page that it needs */
export function drawProof(
  land: LandStore,
  { apn, parcel, shape, feet, lots, accounts, madeAt }: Proof,
  addPage: () => PdfPage,
): void {
  const addresses = new Set(accounts.flatMap(({ account }) => (account.mailing ? [foldText(account.mailing)] : [])));
  const without = accounts.filter(({ account }) => account.mailing === null).length;
  const sources = parcelSources(land.file, boundsOfMultiPolygon(shape));
  const { owner_name: owner, situs_address: street, situs_city: city } = parcel;
  let page = addPage();
  page.text(margin, 44, 19, 'Proof of notice', { isBold: true });
  const facts: readonly (readonly [string, string])[] = [
    ['Parcel', [apn, owner, [street, city].filter(Boolean).join(', ')].filter(Boolean).join(' · ')],
    ['Who is listed', whoWords(feet)],
    [
      'Counts',
      `${counted(lots, 'parcel', 'parcels')}, ${counted(accounts.length, 'account', 'accounts')}, ${counted(addresses.size, 'mailing address', 'mailing addresses')}; ${without === 0 ? 'every account has one' : `${counted(without, 'account has', 'accounts have')} none known`}`,
    ],
    ['Source', sources.map(({ name, date }) => `${name}, ${formatDate(date)}`).join('; ') || 'unknown'],
    ['Made', formatDate(madeAt.toISOString())],
  ];
  let y = 66;
  for (const [label, text] of facts) {
    page.text(margin, y, 8.5, label, { ink: inks.quiet });
    for (const line of wrapText(text, right - margin - 80, (part) => page.width(part, 8.5))) {
      page.text(margin + 80, y, 8.5, line);
      y += 12;
    }
    y += 2;
  }
  y += 12;
  const begin = () => {
    drawHeads(page, y, proofColumns);
    y += rowStep;
  };
  begin();
  for (const { number, account } of accounts) {
    if (y > lastRow) {
      [page, y] = [addPage(), 60];
      page.text(margin, 40, 12, `Proof of notice, ${apn}, continued`, { isBold: true });
      begin();
    }
    const cells = {
      number: String(number),
      apn: account.apn || 'no APN',
      owner: [account.owner_name || 'not published', account.second].filter(Boolean).join(' & '),
      mailing: account.mailing ?? 'none known',
    };
    drawRow(page, y, proofColumns, (name) => cells[name]);
    ruleOff(page, y);
    y += rowStep;
  }
  if (y + 44 > lastRow) [page, y] = [addPage(), 40];
  y += 34;
  for (const [x, width, words] of [
    [margin, 230, 'Mailed by'],
    [margin + 260, 140, 'On'],
  ] as const) {
    page.line([[x, y, x + width, y]], { stroke: inks.frame, width: 0.6 });
    page.text(x, y + 11, 7.5, words, { ink: inks.quiet });
  }
}

const whoWords = (feet: number | null): string =>
  feet === null
    ? 'parcels with at least 2 m of common boundary, and those that face this one across a road of up to 25 m'
    : `the same, and parcels within ${grouped(feet)} ft of the boundary (not of its middle): the shortest distance between the drawn boundaries, the geodesic on WGS 84`;
