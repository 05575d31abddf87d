/** One parcel: owner, place, size by deed and by map; tabs below. */
import { ArrowLeft, ChevronDown, ChevronUp, FileText, X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { saveSheet } from '../../export/parcel-sheet.ts';
import { QrButton } from '../../map/qr-code.tsx';
import { formatNumber, formatPercent } from '../../parts/format.ts';
import { IconButton } from '../../parts/hint.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { useClient, useLate, useRead } from '../../state/client-context.tsx';
import { useStore } from '../../state/store.ts';
import { DetailFooter } from '../../work/detail-footer.tsx';
import { StarButton } from '../../work/star.tsx';
import { explore, openOwner, openTab, select, view } from '../explore-state.ts';
import { step } from '../use-index-of.ts';
import { type ColumnName, detailTabs, isWideTab, type OpenParcel } from './detail-tabs.tsx';

export function DetailPane({ propertyId, width }: { propertyId: number; width: number | null }) {
  const { data, error, isPending, refetch } = useRead('parcel', { id: propertyId }, { isLasting: true });
  const isSlow = useLate(isPending);
  const isThis = data?.parcel.property_id === propertyId;
  const isWide = isWideTab(useStore(explore).detailTab);
  return (
    <aside
      className={`pane detail ${isWide ? 'wide' : ''}`}
      aria-label={isThis ? `Parcel ${data.parcel.apn || propertyId}` : 'Parcel'}
      style={width === null || isWide ? {} : { width }}
    >
      {error ? (
        <ErrorState title="The parcel could not be opened" error={error} onRetry={() => void refetch()} />
      ) : null}
      {isSlow && !isThis ? <Skeleton label="Opening the parcel" /> : null}
      {isThis && !error ? <Content open={data} /> : null}
    </aside>
  );
}

function Content({ open }: { open: OpenParcel }) {
  const { detailTab } = useStore(explore);
  const tab = detailTabs.some(({ id }) => id === detailTab) ? detailTab : 'parcel';
  return (
    <Tabs.Root className="pane grow" value={tab} onValueChange={(next) => explore.set({ detailTab: next })}>
      <Head open={open} />
      {detailTabs.map(({ id, content: TabContent }) => (
        <Tabs.Content key={id} value={id} className="scroll">
          <TabContent open={open} />
        </Tabs.Content>
      ))}
      {isWideTab(tab) ? null : <DetailFooter propertyId={open.parcel.property_id} />}
    </Tabs.Root>
  );
}

function Head({ open }: { open: OpenParcel }) {
  const { parcel } = open;
  const client = useClient();
  const { detailTab } = useStore(explore);
  const text = (name: ColumnName) => (parcel[name] as string | null) || null;
  const Actions = detailTabs.find(({ id }) => id === detailTab)?.actions;
  const place = [text('situs_address') ?? 'no address published', text('situs_city')].filter(Boolean).join(', ');
  return (
    <div className="detail-head">
      <WayBack propertyId={parcel.property_id} />
      <div className="apn-line">
        <h2 tabIndex={-1} data-focus="detail" data-long={(text('apn')?.length ?? 0) > 14}>
          {text('apn') ?? 'no APN'}
        </h2>
        <IconButton label="Previous parcel" keys="[" onPress={() => void step(client, -1)}>
          <ChevronUp aria-hidden />
        </IconButton>
        <IconButton label="Next parcel" keys="]" onPress={() => void step(client, 1)}>
          <ChevronDown aria-hidden />
        </IconButton>
        <StarButton propertyId={parcel.property_id} />
        <SheetButton propertyId={parcel.property_id} />
        <QrButton point={parcel.point as readonly [number, number] | null} />
        <IconButton label="Close the parcel" keys="Esc" onPress={() => select(null)}>
          <X aria-hidden />
        </IconButton>
      </div>
      <p className="owner">
        {text('owner_name') === null ? (
          <span className="null">owner not published</span>
        ) : (
          <button
            type="button"
            className="plain"
            title="All land of this owner (O)"
            onClick={() => openOwner(parcel.property_id)}
          >
            {text('owner_name')}
          </button>
        )}
      </p>
      <p className="quieter">{place}</p>
      <Acres
        recorded={parcel.acres as number | null}
        mapped={parcel.calculated_acres as number | null}
        lot={text('stacked_on')}
      />
      <Tabs.List className="tabs" aria-label="About the parcel">
        {detailTabs.map(({ id, title }) => (
          <Tabs.Trigger key={id} value={id}>
            {title}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {Actions ? (
        <div className="line tab-actions">
          <Actions open={open} />
        </div>
      ) : null}
    </div>
  );
}

/** To the value from which this comp's parcel was opened. */
function WayBack({ propertyId }: { propertyId: number }) {
  const { cameFrom } = useStore(view);
  if (cameFrom?.to !== propertyId) return null;
  return (
    <button type="button" className="link way-back" onClick={() => openTab(cameFrom.id, 'value')}>
      <ArrowLeft aria-hidden className="small" />
      Back to the value of {cameFrom.name}
    </button>
  );
}

/** States its price on the button: free. */
function SheetButton({ propertyId }: { propertyId: number }) {
  const client = useClient();
  return (
    <IconButton label="Parcel sheet (PDF), free" onPress={() => void saveSheet(client, propertyId)}>
      <FileText aria-hidden />
    </IconButton>
  );
}

/** From this difference on the pane says that the two sizes disagree. */
const apartPercent = 5;

/** @param lot APN of the lot that has the ground */
function Acres({ recorded, mapped, lot }: { recorded: number | null; mapped: number | null; lot: string | null }) {
  const apart = recorded && mapped ? (100 * (mapped - recorded)) / recorded : null;
  const words = apart === null ? '' : `${apart >= 0.05 ? '+' : ''}${formatPercent(apart, 1)}`;
  if (lot !== null) return <p className="acres">no ground of its own: it lies on {lot}</p>;
  return (
    <p className="acres">
      <span>
        recorded {recorded === null ? <span className="null">unknown</span> : <b>{formatNumber(recorded, 2)} ac</b>}
      </span>
      <span className="quietest">/</span>
      <span>
        mapped {mapped === null ? <span className="null">no shape</span> : <b>{formatNumber(mapped, 2)} ac</b>}
      </span>
      {apart === null ? null : Math.abs(apart) > apartPercent ? (
        <span className="tag warn">{words}</span>
      ) : (
        <span className="quieter">({words})</span>
      )}
    </p>
  );
}
