/** What the record says of the parcel's past, and where the record comes from. */
import { formatDate } from '../../parts/format.ts';
import type { DetailTabProps } from './detail-tabs.tsx';
import { ColumnFact, Fact, FactGroup } from './facts.tsx';

export function HistoryTab({ open }: DetailTabProps) {
  const { source_date: date, imported_at: imported } = open.parcel as Record<string, string | null>;
  return (
    <>
      <FactGroup title="Sales on record">
        <ColumnFact open={open} name="last_sale_date" />
        <ColumnFact open={open} name="last_sale_price" />
        <ColumnFact open={open} name="last_sale_seller_name" />
        <ColumnFact open={open} name="last_sale_buyer_name" />
        <ColumnFact open={open} name="prior_sale_date" />
        <ColumnFact open={open} name="prior_sale_price" />
      </FactGroup>
      <FactGroup title="Names of the parcel">
        <ColumnFact open={open} name="old_apn" />
        <ColumnFact open={open} name="external_id" />
        <ColumnFact open={open} name="status" />
      </FactGroup>
      <FactGroup title="Source">
        <ColumnFact open={open} name="source_name" />
        {date === undefined ? null : <Fact label="Dated" value={date === null ? null : formatDate(date)} />}
        <Fact label="Imported" value={imported ? formatDate(imported) : null} />
      </FactGroup>
    </>
  );
}
