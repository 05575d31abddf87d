/** The day for which the parcel is valued: today, or a past one. */
import { compsView } from '../comps/comps-state.ts';

const today = (): string => new Date().toISOString().slice(0, 10);

export const ValueAsOf = ({ propertyId, day }: { propertyId: number; day: string | undefined }) => (
  <label className="line small-text quieter">
    as of
    <input
      type="date"
      max={today()}
      value={day ?? ''}
      onChange={({ target }) =>
        compsView.set(({ asOf }) => ({ asOf: { ...asOf, [propertyId]: target.value || undefined } }))
      }
    />
  </label>
);
