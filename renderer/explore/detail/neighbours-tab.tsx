/** Whose land lies around the parcel: three groups, numbered clockwise from north; the map shows the same numbers. */
import type { MultiPolygon } from 'geojson';
import { ListPlus, MapPinned, TableProperties, UserRound } from 'lucide-react';
import { useMemo } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import { type NumberedLot as Numbered, numberedLots } from '../../../engine/spec/numbered-lots.ts';
import { saveAdjoiners } from '../../export/parcel-sheet.ts';
import type { MapBand, MapLot } from '../../map/picked-layers.ts';
import { formatNumber, plural } from '../../parts/format.ts';
import { IconButton } from '../../parts/hint.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { useClient, useLate, useRead, useRested } from '../../state/client-context.tsx';
import { whenThere } from '../../state/focus-place.ts';
import { navigation } from '../../state/navigation.ts';
import { useStore } from '../../state/store.ts';
import { explore, hover, openOwner, replaceFilter, select, view } from '../explore-state.ts';
import type { DetailTabProps } from './detail-tabs.tsx';

type Neighbour = ReadOutputOf<'neighbours'>['neighbours'][number];
export type Relation = Neighbour['relation'];

type NumberedLot = Numbered<Neighbour>;

/** A mile: beyond, the list is no longer read. */
const farthestFeet = 5280;

const nobody: readonly MapLot[] = [];

function useAround(id: number | null) {
  const feet = useRested(useStore(view).aroundFeet, 250);
  const read = useRead('neighbours', { id: id ?? 0, within_feet: feet }, { when: id !== null, isLasting: true });
  // Until they arrive, those of another distance stay; those of another parcel are not shown.
  return { ...read, shown: read.data?.property_id === id ? read.data : undefined };
}

/** For the map: the neighbours of the parcel whose tab is open, and the band of feet around it. */
export function useNeighbourLots(): { readonly lots: readonly MapLot[]; readonly band: MapBand | null } {
  const { selected, detailTab, ownerOf } = useStore(explore);
  const id = detailTab === 'neighbours' && ownerOf === null ? selected : null;
  const { shown } = useAround(id);
  return useMemo(() => {
    const { neighbours = [], band: shape = null, within_feet: feet = null } = shown ?? {};
    const lots = neighbours.length === 0 ? nobody : numberedLots(neighbours).map(mapLotOf);
    return { lots, band: shape && feet !== null ? { shape: shape as unknown as MultiPolygon, feet } : null };
  }, [shown]);
}

const mapLotOf = ({ number, lot }: NumberedLot): MapLot => ({
  ...{ property_id: lot.property_id, as: lot.relation, place: lot.place, mark: String(number) },
  ...(lot.owner_name && { words: lot.owner_name }),
});

const groups: readonly {
  readonly relation: Relation;
  readonly title: (feet: number) => string;
  /** What the feet of its rows are. */
  readonly feet: string;
}[] = [
  { relation: 'abutting', title: () => 'Abutting', feet: 'shared boundary' },
  { relation: 'across', title: () => 'Across the road', feet: 'facing' },
  { relation: 'within', title: (feet) => `Also within ${formatNumber(feet)} ft`, feet: 'distance' },
];

export function NeighboursTab({ open: { parcel } }: DetailTabProps) {
  const id = parcel.property_id as number;
  const client = useClient();
  const { shown, error, refetch } = useAround(id);
  const isSlow = useLate(!shown && !error);
  if (error)
    return <ErrorState title="The neighbours could not be found" error={error} onRetry={() => void refetch()} />;
  if (!shown) return isSlow ? <Skeleton label="Looking around the parcel" /> : null;
  const lots = numberedLots(shown.neighbours);
  const ids = shown.neighbours.map(({ property_id: one }) => one);
  return (
    <section className="neighbours" id={sectionOf(id)} tabIndex={-1} aria-label={`Neighbours of ${parcel.apn || id}`}>
      <Sum shown={shown} lots={lots} />
      {groups.map(({ relation, title, feet }) => {
        const inGroup = lots.filter(({ lot }) => lot.relation === relation);
        return inGroup.length === 0 ? null : (
          <section key={relation} aria-label={title(shown.within_feet ?? 0)}>
            <h3>
              {title(shown.within_feet ?? 0)} <b className="num">{formatNumber(inGroup.length)}</b>
              <span className="neighbour-feet">{feet}</span>
            </h3>
            <ul>
              {inGroup.map((one) => (
                <Row key={one.lot.property_id} {...one} />
              ))}
            </ul>
          </section>
        );
      })}
      {ids.length === 0 ? null : (
        <p className="neighbours-foot">
          <button type="button" className="button full" onClick={() => listThem(ids)}>
            <ListPlus aria-hidden />
            {ids.length === 1 ? 'Add it to a list' : `Add these ${formatNumber(ids.length)} to a list`}
          </button>
          <button
            type="button"
            className="button full"
            onClick={() => replaceFilter({ neighbour_of: id, within_feet: shown.within_feet ?? undefined })}
          >
            <TableProperties aria-hidden />
            Show them in the table
          </button>
          <button
            type="button"
            className="button full"
            title="A numbered map, a table of owners and addresses, and a proof page"
            onClick={() => void saveAdjoiners(client, id, shown.within_feet ?? 0)}
          >
            <MapPinned aria-hidden />
            Adjoiner map as PDF
          </button>
        </p>
      )}
    </section>
  );
}

const sectionOf = (id: number): string => `neighbours-${id}`;

/** The parcel itself stays open. */
function listThem(ids: readonly number[]): void {
  explore.set({ selectedMany: ids });
  navigation.set({ over: 'add-to-list' });
}

function Sum({ shown, lots }: { shown: ReadOutputOf<'neighbours'>; lots: readonly NumberedLot[] }) {
  const { aroundFeet: feet } = useStore(view);
  const of = (relation: Relation) => formatNumber(lots.filter(({ lot }) => lot.relation === relation).length);
  const near = lots.filter(({ lot }) => lot.distance_feet <= (shown.within_feet ?? 0));
  return (
    <div className="neighbours-sum">
      <p className="num">
        <b>abutting {of('abutting')}</b> · across the road {of('across')}
      </p>
      <div className="neighbours-within">
        within
        <NumberField
          label="Feet around the parcel"
          value={feet}
          unit="ft"
          minimum={0}
          maximum={farthestFeet}
          isRequired
          onChange={(next) => next !== undefined && view.set({ aroundFeet: next })}
        />
        <b className="num">{formatNumber(near.length)}</b>
      </div>
      <p className="quieter small-text num" role="status">
        {lots.length > 0 ? sumWords(shown.neighbours, lots.length) : null}
        {lots.length + shown.notices.length === 0 ? 'No other parcel is this near.' : null}
      </p>
      {shown.notices.map((notice) => (
        <p key={notice} className="quieter small-text">
          {notice}
        </p>
      ))}
    </div>
  );
}

function sumWords(all: readonly Neighbour[], lots: number): string {
  const others = all.filter(({ same_owner: same }) => same !== true).map(({ owner_name: name }) => name);
  const owners = new Set(others.filter(Boolean)).size;
  const unknown = others.filter((name) => !name).length;
  return `${[
    plural(lots, 'lot', 'lots'),
    plural(all.length, 'account', 'accounts'),
    plural(owners, 'other owner', 'other owners'),
    ...(unknown > 0 ? [`${formatNumber(unknown)} without a published owner`] : []),
  ].join(', ')}. Touching at a corner does not count as abutting.`;
}

/** Its neighbours are shown next, and read out. */
function open(id: number): void {
  hover(null);
  select(id);
  whenThere(`#${sectionOf(id)}`, (section) => section.focus());
}

function Row({ number, lot, accounts }: NumberedLot) {
  const { property_id: id, relation, direction, acres, apn } = lot;
  const names = [...new Set([lot, ...accounts].map(({ owner_name: name }) => name).filter(Boolean))];
  const { hovered } = useStore(view);
  const size = acres === null ? 'acres unknown' : `${formatNumber(acres, 1)} ac`;
  return (
    <li className="neighbour-line">
      <button
        type="button"
        className="neighbour"
        data-focus={number === 1 ? 'neighbours-first' : undefined}
        data-hovered={hovered === id}
        onClick={() => open(id)}
        onMouseEnter={() => hover(id)}
        onMouseLeave={() => hover(null)}
        onFocus={() => hover(id)}
        onBlur={() => hover(null)}
      >
        <span className={`neighbour-number ${relation}`}>{number}</span>
        <span className="grow">
          <span className="neighbour-owner">
            {lot.owner_name || <span className="null">owner not published</span>}
            {lot.same_owner ? <span className="tag">same owner</span> : null}
            {accounts.length > 0 ? <span className="tag">{formatNumber(accounts.length + 1)} accounts</span> : null}
          </span>
          <span className="quieter small-text num">
            {[apn || 'no APN', size, ...(names.length > 1 ? [`${formatNumber(names.length)} owners`] : [])].join(' · ')}
          </span>
        </span>
        <span className="num neighbour-feet">
          {feetWords(lot)}
          <span className="quieter small-text">{direction ?? ''}</span>
        </span>
      </button>
      {lot.owner_name ? (
        <IconButton label={`All land of ${lot.owner_name}`} onPress={() => openOwner(id)}>
          <UserRound aria-hidden />
        </IconButton>
      ) : null}
      {accounts.length > 0 ? <p className="quieter small-text neighbour-stack">{names.join(', ')}</p> : null}
    </li>
  );
}

function feetWords({ relation, shared_feet: shared, distance_feet: away, direction }: Neighbour): string {
  if (direction === null) return 'same lot';
  return `${formatNumber(Math.round(relation === 'within' ? away : shared))} ft`;
}
