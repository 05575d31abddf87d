/** The sample must not pass for real data, so the banner cannot be closed. Imports go to the user's own home. */
import { House, Import, Sprout } from 'lucide-react';
import { productWords } from '../parts/product.ts';
import { useClient } from '../state/client-context.tsx';
import { openOwnHome } from './other-home.ts';

export function SampleBanner() {
  const client = useClient();
  return (
    <section className="banner" aria-label="Sample county">
      <Sprout aria-hidden />
      <span>
        <b>Sample county.</b> The people, parcels and prices are invented.{' '}
        <span className="quieter at-wide">{productWords}</span>
      </span>
      <span className="grow" />
      <button type="button" className="button quiet" onClick={() => void openOwnHome(client, 'explore')}>
        <House aria-hidden />
        My own data
      </button>
      <button type="button" className="button" onClick={() => void openOwnHome(client, 'import')}>
        <Import aria-hidden />
        Import real data
      </button>
    </section>
  );
}
