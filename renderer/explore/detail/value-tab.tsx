/** The parcel's comp value, with every comp behind it. */
import { CalendarClock } from 'lucide-react';
import { noValueSentence } from '../../../engine/spec/no-value-words.ts';
import { PricedButton, PricedRetry } from '../../parts/priced-button.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { useLate } from '../../state/client-context.tsx';
import { FourNumbers } from '../../value/four-numbers.tsx';
import { LeftOut } from '../../value/left-out.tsx';
import { OpenComp } from '../../value/open-comp.tsx';
import { RawAgainstAdjusted } from '../../value/raw-against-adjusted.tsx';
import { useValue } from '../../value/use-value.ts';
import { ValueAsOf } from '../../value/value-as-of.tsx';
import { ValueBasis } from '../../value/value-basis.tsx';
import { ValueFeed } from '../../value/value-feed.tsx';
import { ValueHero } from '../../value/value-hero.tsx';
import { ValueMap } from '../../value/value-map.tsx';
import { NoneFound, NotValued, NoValue } from '../../value/value-states.tsx';
import { CountyLine, ValueWarnings } from '../../value/value-warnings.tsx';
import { formatDay, miles, type ShownValue } from '../../value/value-words.ts';
import { WhyTable } from '../../value/why-table.tsx';
import type { DetailTabProps } from './detail-tabs.tsx';

/** Why the parcel can never be valued, known in advance. */
function hindrance({ parcel }: DetailTabProps['open']): string | null {
  if (parcel.point === null) return noValueSentence({ reason: 'no_point' }, miles);
  const acres = (parcel.acres as number | null) ?? (parcel.calculated_acres as number | null);
  return (acres ?? 0) > 0 ? null : noValueSentence({ reason: 'no_acres' }, miles);
}

export function ValueTab({ open }: DetailTabProps) {
  const { stored, query, call, price } = useValue(open.parcel.property_id);
  const isSlow = useLate(call.isRunning || query.isPending);
  const sentence = hindrance(open);
  if (query.error)
    return <ErrorState title="The value could not be read" error={query.error} onRetry={() => void query.refetch()} />;
  if (call.error && call.error.code !== 'not_found')
    return (
      <ErrorState
        title="The value was not computed"
        error={call.error}
        retry={<PricedRetry price={price} onPress={call.press} />}
      />
    );
  if (isSlow && !stored) return <Skeleton label="Valuing the parcel" />;
  if (query.isPending) return null;
  if (call.error) return <NoneFound id={open.parcel.property_id} error={call.error} />;
  if (stored) return <Valued open={open} value={stored.value} isBeforeImport={stored.is_before_import} />;
  if (call.answer) return <NotKept numbers={call.answer.data} />;
  if (sentence !== null) return <NoValue sentence={sentence} hasComps={false} />;
  return <NotValued call={call} price={price} />;
}

const Valued = ({
  open: { parcel },
  value,
  isBeforeImport,
}: DetailTabProps & { value: ShownValue; isBeforeImport: boolean }) => (
  <div className="value-split">
    <div className="value-body">
      {isBeforeImport ? (
        <p className="note">
          <CalendarClock aria-hidden />
          <span>The county’s file was imported again since this value. Refresh brings it up to date.</span>
        </p>
      ) : null}
      <ValueWarnings value={value} />
      <ValueHero value={value} />
      <FourNumbers numbers={value.numbers} />
      <CountyLine value={value} />
      <ValueBasis value={value} />
      <WhyTable value={value} />
      <ValueMap
        value={value}
        propertyId={parcel.property_id}
        center={parcel.point as readonly [number, number] | null}
      />
      <div className="value-two">
        <RawAgainstAdjusted value={value} />
        <LeftOut value={value} />
      </div>
      <p className="value-end small-text quietest">
        A research indication from recorded sales and listings, not an appraisal.
      </p>
    </div>
    <OpenComp value={value} subject={{ id: parcel.property_id, name: nameOf(parcel) }} />
  </div>
);

const nameOf = ({ apn, property_id: id }: DetailTabProps['open']['parcel']): string =>
  (apn as string | null) || `parcel ${id}`;

/** Paid for, but the disk was full or the file locked: the numbers last as long as the window. */
const NotKept = ({ numbers }: { numbers: ShownValue['numbers'] }) => (
  <div className="value-body">
    <p className="note warn">
      <span>
        The value could not be stored with the parcel: the disk is full, or another program holds the file. Note the
        numbers; they stay here until this window is closed.
      </span>
    </p>
    <FourNumbers numbers={numbers} />
  </div>
);

/** Beside the tabs, once there is a value. */
export function ValueActions({ open }: DetailTabProps) {
  const { stored, call, price, asOf } = useValue(open.parcel.property_id);
  if (!stored) return null;
  return (
    <>
      <span className="small-text quieter at-medium">Valued {formatDay(stored.valued_at)}, stored with the parcel</span>
      <ValueFeed propertyId={open.parcel.property_id} apn={nameOf(open.parcel)} price={price} />
      <ValueAsOf propertyId={open.parcel.property_id} day={asOf} />
      <PricedButton label="Refresh" price={price} isRunning={call.isRunning} onPress={call.press} />
    </>
  );
}
