/** Whose land: the parcel at a place with its owner, and who has the land around it. */
import { Navigation } from 'lucide-react';
import { numberedLots } from '../../engine/spec/numbered-lots.ts';
import { select } from '../explore/explore-state.ts';
import { formatArea, squareMetersPerAcre } from '../map/units.ts';
import { plural } from '../parts/format.ts';
import { useRead } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { aimAt, field, leaveField } from './field-state.ts';

export function WhoseSheet() {
  const { place } = useStore(field);
  const { data, error, isPlaceholderData } = useRead(
    'parcel_at',
    { longitude: place?.longitude ?? 0, latitude: place?.latitude ?? 0 },
    { when: place !== null, isLasting: true },
  );
  if (!place) return <p>Waiting for a position.</p>;
  if (error) return <p className="problem">{error.message}</p>;
  if (!data || isPlaceholderData) return <p role="status">Looking …</p>;
  const where = place.accuracyMeters === null ? 'under the cross' : 'here';
  if (data.property_id === null)
    return (
      <p role="status" data-first tabIndex={-1}>
        No parcel of this book lies {where}: a road, or land that is not loaded.
      </p>
    );
  return <OfParcel id={data.property_id} />;
}

/** More would push the buttons off a phone. */
const mostAround = 8;

/** The lots around it, each in its direction. */
function Around({ id }: { id: number }) {
  const { data } = useRead('neighbours', { id }, { isLasting: true });
  if (data?.property_id !== id) return null;
  const lots = numberedLots(data.neighbours).filter(({ lot }) => lot.direction !== null);
  if (lots.length === 0) return data.notices.length > 0 ? <p>{data.notices[0]}</p> : null;
  return (
    <section aria-label="Around it">
      <ul className="field-around">
        {lots.slice(0, mostAround).map(({ lot, accounts }) => (
          <li key={lot.property_id}>
            <b>{lot.direction}</b> {lot.owner_name || 'owner not published'}
            {accounts.length > 0 ? ` and ${plural(accounts.length, 'more account', 'more accounts')}` : ''}
            {lot.relation === 'across' ? ', across the road' : ''} <span className="apn">{lot.apn}</span>
          </li>
        ))}
      </ul>
      {lots.length > mostAround ? <p>and {plural(lots.length - mostAround, 'other lot', 'other lots')}</p> : null}
    </section>
  );
}

function OfParcel({ id }: { id: number }) {
  const { units } = useStore(settings);
  const { data } = useRead('parcel', { id }, { isLasting: true });
  if (data?.parcel.property_id !== id) return <p role="status">Looking …</p>;
  const { parcel } = data;
  const apn = String(parcel.apn || `Parcel ${id}`);
  const acres = (parcel.acres ?? parcel.calculated_acres) as number | null;
  const [longitude, latitude] = (parcel.point as readonly [number, number] | null) ?? [];
  const mail = [parcel.mailing_address, parcel.mailing_city, parcel.mailing_state].filter(Boolean).join(', ');
  return (
    <>
      <div role="status">
        <p className="line wrap">
          <b className="field-apn apn">{apn}</b>
          {acres === null ? null : <span className="num">{formatArea(acres * squareMetersPerAcre, units)}</span>}
        </p>
        <p className="field-name">{String(parcel.owner_name ?? 'owner not published')}</p>
        {mail ? <p>{mail}</p> : null}
      </div>
      <Around id={id} />
      <div className="field-choices">
        {longitude === undefined || latitude === undefined ? null : (
          <button type="button" className="button" data-first onClick={() => aimAt({ name: apn, longitude, latitude })}>
            <Navigation aria-hidden />
            Go to {apn}
          </button>
        )}
        <button
          type="button"
          className="button"
          onClick={() => {
            select(id);
            leaveField('explore');
          }}
        >
          Open {apn}, leaving Field mode
        </button>
      </div>
    </>
  );
}
