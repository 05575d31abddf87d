/** The accounts without a shape that lie on a lot, and from one of them the way to its lot. */
import { formatNumber, plural } from '../../parts/format.ts';
import { select } from '../explore-state.ts';
import type { DetailTabProps } from './detail-tabs.tsx';

export function Stacked({ open: { stacked } }: DetailTabProps) {
  const { lot, count, accounts } = stacked;
  if (lot === null && count === 0) return null;
  return (
    <section className="facts portfolio" aria-label="One ground">
      <h3>{lot ? 'It lies on the ground of' : `${plural(count, 'account lies', 'accounts lie')} on this lot`}</h3>
      <ul>
        {(lot ? [lot] : accounts).map(({ property_id: id, apn, owner_name: owner }) => (
          <li key={id}>
            <button type="button" className="plain apn" onClick={() => select(id)}>
              {apn || 'no APN'}
            </button>
            <span className="grow ellipsis" title={owner ?? ''}>
              {owner ?? <span className="null">owner not published</span>}
            </span>
          </li>
        ))}
      </ul>
      {count > accounts.length ? <p className="quieter">{formatNumber(count - accounts.length)} more.</p> : null}
    </section>
  );
}
