/** Nothing of the sample may be taken for real; so the banner cannot be closed. */
import { Import, Sprout } from 'lucide-react';
import { goTo } from '../state/navigation.ts';

export const SampleBanner = () => (
  <section className="banner" aria-label="Sample county">
    <Sprout aria-hidden />
    <span>
      <b>Sample county.</b> The people, parcels and prices are invented.
    </span>
    <span className="grow" />
    <button type="button" className="button" onClick={() => goTo('import')}>
      <Import aria-hidden />
      Import real data
    </button>
  </section>
);
