/** The comps that were found but not used, each with its reason. */

import { CompMark } from '../comps/comp-mark.tsx';
import { highlightComp } from '../comps/comps-state.ts';
import { formatNumber } from '../parts/format.ts';
import { leftOutNumber, leftOutWords, milesOf, type ShownValue } from './value-words.ts';
import { CompName } from './why-table.tsx';

export function LeftOut({ value }: { value: ShownValue }) {
  const { left_out: out, seen, used, ring_km: ring } = value;
  const miles = milesOf(ring);
  return (
    <section className="value-section" aria-labelledby="left-out-title">
      <div className="section-title">
        <h3 id="left-out-title">Left out</h3>
        <p className="quieter num">
          {formatNumber(seen - used.length)} of {formatNumber(seen)} within {formatNumber(miles, miles < 10 ? 1 : 0)} mi
        </p>
      </div>
      {out.comps.length === 0 ? (
        <p className="quieter">Every comp within reach was used.</p>
      ) : (
        <ul className="left-out">
          {out.comps.map((comp) => (
            <li
              key={comp.id}
              data-comp={comp.id}
              onPointerEnter={() => highlightComp(comp.id)}
              onPointerLeave={() => highlightComp(null)}
            >
              <CompMark status={comp.status} isNamed />
              <CompName comp={comp} />
              <span className="num n">{leftOutNumber(comp)}</span>
              <span className="quieter">{leftOutWords(comp, value)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
