/** An empty home: two ways to start, one promise. */
import { Import, Sprout } from 'lucide-react';
import { useState } from 'react';
import { ClientError } from '../client/engine-client.ts';
import { Mark } from '../parts/mark.tsx';
import { product, productWords } from '../parts/product.ts';
import { screenList } from '../screens/screens.tsx';
import { useClient } from '../state/client-context.tsx';
import { goTo, navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';

export function FirstRun() {
  const { screen } = useStore(navigation);
  const Other = screenList.find(({ id }) => id === screen && id !== 'explore')?.content;
  return Other ? <Other /> : <Ways />;
}

function Ways() {
  const client = useClient();
  const [state, setState] = useState<'ready' | 'opening' | ClientError>('ready');
  const openSample = async () => {
    setState('opening');
    try {
      location.assign(await client.openSample());
    } catch (error) {
      setState(error instanceof ClientError ? error : new ClientError('internal_error', String(error)));
    }
  };
  return (
    <div className="first-run">
      <div className="state">
        <Mark width={1.3} />
        <h1>{product}</h1>
        <p className="strong">{productWords}</p>
        <p>Your parcels, notes and lists stay on this computer. Nothing is sent anywhere.</p>
        <div className="two">
          <button type="button" className="choice" disabled={state === 'opening'} onClick={() => void openSample()}>
            <Sprout aria-hidden />
            <b>Open the sample county</b>
            <span>
              {state === 'opening' ? 'opening …' : 'not real people; some 6,000 invented parcels, ready in seconds'}
            </span>
          </button>
          <button type="button" className="choice" onClick={() => goTo('import')}>
            <Import aria-hidden />
            <b>Import county data</b>
            <span>Shapefile, GeoPackage, GeoJSON, CSV or an assessor’s table</span>
          </button>
        </div>
        {state instanceof ClientError ? (
          <p className="problem" role="alert">
            {state.message}
          </p>
        ) : null}
        <p className="small-text">
          Tokens are a counter on this computer; they cost no money. Boundaries are approximate, not a survey.
        </p>
      </div>
    </div>
  );
}
