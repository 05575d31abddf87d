/** One comp beside the value: its facts, and the way to its parcel. */

import { ArrowUpRight, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { causeHead, factorText, shownCauses } from '../../engine/spec/value-terms.ts';
import { CompMark, statusWords } from '../comps/comp-mark.tsx';
import { compsView, openComp } from '../comps/comps-state.ts';
import { Fact, FactGroup } from '../explore/detail/facts.tsx';
import { openFrom } from '../explore/explore-state.ts';
import { formatMoney, formatNumber } from '../parts/format.ts';
import { IconButton } from '../parts/hint.tsx';
import { useStore } from '../state/store.ts';
import {
  compDate,
  type LeftOutComp,
  leftOutWords,
  miles,
  perAcreText,
  type ShownValue,
  type UsedComp,
} from './value-words.ts';

type AnyShown = UsedComp | LeftOutComp;

/** @param subject the parcel that is valued */
export function OpenComp({ value, subject }: { value: ShownValue; subject: { id: number; name: string } }) {
  const { opened: id } = useStore(compsView);
  const comp = [...value.used, ...value.left_out.comps].find((one) => one.id === id);
  const head = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a comp
  useEffect(() => head.current?.focus(), [comp?.id]);
  if (!comp) return null;
  const { property_id: parcel } = comp;
  const name = comp.apn || 'no APN';
  return (
    <aside className="open-comp" aria-label={`Comp ${name}`}>
      <div className="open-comp-head">
        <h3 ref={head} tabIndex={-1}>
          <CompMark status={comp.status} /> {name}
        </h3>
        <IconButton label="Back to the value alone" keys="Esc" onPress={closeComp}>
          <X aria-hidden />
        </IconButton>
      </div>
      <p className="quieter">{comp.address || 'no address'}</p>
      <CompFacts comp={comp} value={value} />
      {parcel === null ? (
        <p className="quieter small-text">Its parcel is not in this home.</p>
      ) : (
        <button type="button" className="button" onClick={() => openFrom(subject, parcel)}>
          <ArrowUpRight aria-hidden />
          Open its parcel
        </button>
      )}
    </aside>
  );
}

/** Gives the keyboard back to its row. @returns whether one was open */
export function closeComp(): boolean {
  const { opened: id } = compsView.get();
  if (id === null) return false;
  openComp(null);
  document.querySelector<HTMLElement>(`[data-comp="${CSS.escape(id)}"] button`)?.focus();
  return true;
}

function CompFacts({ comp, value }: { comp: AnyShown; value: ShownValue }) {
  const { price, acres } = comp;
  return (
    <>
      <FactGroup title={`${statusWords[comp.status]}, ${compDate(comp)}`}>
        <Fact label="Price" value={price === null ? null : formatMoney(price)} />
        <Fact label="Acres" value={acres === null ? null : formatNumber(acres, 2)} unit="ac" />
        <Fact label="Price an acre" value={price && acres ? `$${perAcreText(price / acres)}` : null} unit="/ac" />
        <Fact label="Distance" value={miles(comp.distance_km)} />
      </FactGroup>
      {'factors' in comp ? (
        <FactGroup title="In the value">
          {shownCauses(value.used).map((cause) => (
            <Fact key={cause} label={causeHead(cause)} value={factorText(comp.factors[cause])} />
          ))}
          <Fact label="Adjusted" value={`$${perAcreText(comp.adjusted_price_per_acre)}`} unit="/ac" />
          <Fact label="Weight" value={formatNumber(100 * comp.weight, 1)} unit="%" />
        </FactGroup>
      ) : (
        <p className="note">
          <span>Left out: {leftOutWords(comp, value)}.</span>
        </p>
      )}
    </>
  );
}
