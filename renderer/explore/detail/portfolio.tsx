/** Everything the owner has, by mailing address: sums, rows, and all lots on the map. Free, and the filters stay. */
import { Map as MapIcon } from 'lucide-react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import { showBounds } from '../../map/map-state.ts';
import { formatMoney, formatNumber, plural } from '../../parts/format.ts';
import { useRead } from '../../state/client-context.tsx';
import { toast } from '../../state/toasts.ts';
import { replaceFilter, select, selectMany, undo } from '../explore-state.ts';

type Found = ReadOutputOf<'owner_portfolio'>;

const shownRows = 30;

export function Portfolio({ propertyId }: { propertyId: number }) {
  const { data } = useRead('owner_portfolio', { id: propertyId }, { isLasting: true });
  if (!data?.parcels.some(({ property_id: id }) => id === propertyId)) return null;
  const { parcels } = data;
  const more = parcels.length - shownRows;
  return (
    <section className="facts portfolio" aria-label="Portfolio">
      <h3>{plural(parcels.length, 'parcel', 'parcels')} with this mailing address</h3>
      <p className="num">
        {sumWords(parcels, 'acres', (sum) => `${formatNumber(sum, 2)} ac`)},{' '}
        {sumWords(parcels, 'value', (sum) => `${formatMoney(sum)} ${data.value_is} value`)}
      </p>
      <button type="button" className="button full" onClick={() => showAll(data)}>
        <MapIcon aria-hidden />
        Show all {formatNumber(parcels.length)} on the map
      </button>
      <ul>
        {parcels.slice(0, shownRows).map(({ property_id: id, apn, acres, value }) => (
          <li key={id}>
            <button type="button" className="plain apn" aria-current={id === propertyId} onClick={() => select(id)}>
              {apn || 'no APN'}
            </button>
            <span className="num n">{acres === null ? 'acres unknown' : `${formatNumber(acres, 2)} ac`}</span>
            <span className="num n">{value === null ? 'not published' : formatMoney(value)}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p className="quieter">{plural(more, 'smaller one', 'smaller ones')} more, on the map as well.</p>
      ) : null}
      <button type="button" className="link" onClick={() => filterBy(propertyId)}>
        Use this address as the only filter
      </button>
    </section>
  );
}

/** `312.4 ac (2 unknown)`. */
function sumWords(parcels: Found['parcels'], of: 'acres' | 'value', words: (sum: number) => string): string {
  const known = parcels.flatMap((one) => one[of] ?? []);
  const unknown = parcels.length - known.length;
  return `${words(known.reduce((sum, one) => sum + one, 0))}${unknown === 0 ? '' : ` (${formatNumber(unknown)} unknown)`}`;
}

function showAll({ parcels, bounds }: Found): void {
  selectMany(parcels.map(({ property_id: id }) => id));
  if (bounds) showBounds(bounds);
  else toast('None of them has a place on the map.');
}

/** All parcels of the address, in any county: other filters would hide some of them. */
function filterBy(propertyId: number): void {
  replaceFilter({ owner_parcel_id: propertyId });
  toast('The filter shows every parcel of this mailing address', { label: 'Undo', step: 'filter', run: undo });
}
