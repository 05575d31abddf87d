/** The History tab: the parcel's past sales and names on record, and the source of the record. */
import { formatDate } from '../../parts/format.ts';
import type { DetailTabProps } from './detail-tabs.tsx';
import { columnLine, madeLine, type Section, SectionFacts } from './facts.tsx';

/** The Parcel tab leaves the columns of these sections to this tab. */
export const historySections: readonly Section[] = [
  {
    title: 'Sales on record',
    lines: [
      columnLine('last_sale_date'),
      columnLine('last_sale_price'),
      columnLine('last_sale_seller_name'),
      columnLine('last_sale_buyer_name'),
      columnLine('prior_sale_date'),
      columnLine('prior_sale_price'),
    ],
  },
  {
    title: 'Names of the parcel',
    lines: [columnLine('old_apn'), columnLine('external_id'), columnLine('status')],
  },
  {
    title: 'Source',
    lines: [
      columnLine('source_name'),
      madeLine(['source_date'], (date: string | null | undefined) =>
        date === undefined ? null : { label: 'Dated', value: date && formatDate(date) },
      ),
      madeLine(['imported_at'], (at: string | null) => ({ label: 'Imported', value: at ? formatDate(at) : null })),
    ],
  },
];

export const HistoryTab = ({ open }: DetailTabProps) =>
  historySections.map((section) => <SectionFacts key={section.title} section={section} open={open} />);
