/** The parcel's comp value, with every comp behind it. */
import { CalendarClock } from 'lucide-react';
import { PricedButton } from '../../parts/priced-button.tsx';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import { useLate } from '../../state/client-context.tsx';
import { FourNumbers } from '../../value/four-numbers.tsx';
import { LeftOut } from '../../value/left-out.tsx';
import { RawAgainstAdjusted } from '../../value/raw-against-adjusted.tsx';
import { useValue } from '../../value/use-value.ts';
import { ValueFeed } from '../../value/value-feed.tsx';
import { ValueHero } from '../../value/value-hero.tsx';
import { NotValued, NoValue, PlanOrError } from '../../value/value-states.tsx';
import { formatDay, type ShownValue } from '../../value/value-words.ts';
import { WhyTable } from '../../value/why-table.tsx';
import type { DetailTabProps } from './detail-tabs.tsx';

/** Why the parcel can never be valued, known in advance. */
function hindrance({ parcel }: DetailTabProps['open']): string | null {
  if (parcel.point === null) return 'The parcel has no place on the map, so nothing is near it.';
  const acres = (parcel.acres as number | null) ?? (parcel.calculated_acres as number | null);
  return (acres ?? 0) > 0 ? null : 'The parcel has neither recorded nor mapped acres, so it cannot be compared.';
}

export function ValueTab({ open }: DetailTabProps) {
  const { stored, query, call, price } = useValue(open.parcel.property_id);
  const isSlow = useLate(call.isRunning || query.isPending);
  const sentence = hindrance(open);
  if (query.error)
    return <ErrorState title="The value could not be read" error={query.error} onRetry={() => void query.refetch()} />;
  if (call.error && call.error.code !== 'not_found')
    return <PlanOrError title="The value was not computed" error={call.error} price={price} onRetry={call.press} />;
  if (isSlow && !stored) return <Skeleton label="Valuing the parcel" />;
  if (query.isPending) return null;
  if (call.error) return <NoValue sentence={call.error.message} />;
  if (stored) return <Valued value={stored.value} isBeforeImport={stored.is_before_import} />;
  if (call.answer) return <NotKept numbers={call.answer.data} />;
  if (sentence !== null) return <NoValue sentence={sentence} hasComps={false} />;
  return <NotValued call={call} price={price} />;
}

const Valued = ({ value, isBeforeImport }: { value: ShownValue; isBeforeImport: boolean }) => (
  <div className="value-body">
    {isBeforeImport ? (
      <p className="note">
        <CalendarClock aria-hidden />
        <span>The county’s file was imported again since this value. Refresh brings it up to date.</span>
      </p>
    ) : null}
    <ValueHero value={value} />
    <FourNumbers numbers={value.numbers} />
    <WhyTable value={value} />
    <div className="value-two">
      <RawAgainstAdjusted value={value} />
      <LeftOut value={value} />
    </div>
    <p className="value-end small-text quietest">
      A research indication from recorded sales and listings, not an appraisal.
    </p>
  </div>
);

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
  const { stored, call, price } = useValue(open.parcel.property_id);
  if (!stored) return null;
  return (
    <>
      <span className="small-text quieter at-medium">Valued {formatDay(stored.valued_at)}, stored with the parcel</span>
      <ValueFeed
        propertyId={open.parcel.property_id}
        apn={(open.parcel.apn as string | null) || `parcel ${open.parcel.property_id}`}
        price={price}
      />
      <PricedButton label="Refresh" price={price} isRunning={call.isRunning} onPress={call.press} />
    </>
  );
}
