/** An empty home: three ways to start, one promise. */
import { ArchiveRestore, Import, Sprout } from 'lucide-react';
import { useState } from 'react';
import { ClientError } from '../client/engine-client.ts';
import { Mark } from '../parts/mark.tsx';
import { product, productWords } from '../parts/product.ts';
import { screenList } from '../screens/screens.tsx';
import { OpenBackup } from '../screens/settings/data-part.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { goTo, navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';

export function FirstRun() {
  const { screen } = useStore(navigation);
  const Other = screenList.find(({ id }) => id === screen && id !== 'explore')?.content;
  return Other ? <Other /> : <Ways />;
}

type State = 'ready' | 'opening' | 'backup' | ClientError;

function Ways() {
  const client = useClient();
  const { data: home } = useRead('home', {}, { isLasting: true });
  const [state, setState] = useState<State>('ready');
  const openSample = async () => {
    setState('opening');
    try {
      location.assign(await client.openSample());
    } catch (error) {
      setState(error instanceof ClientError ? error : new ClientError('internal_error', String(error)));
    }
  };
  if (state === 'backup') return <BackupWay onBack={() => setState('ready')} />;
  return (
    <div className="first-run">
      <div className="state">
        <Mark width={1.3} />
        <h1>{product}</h1>
        <p className="strong">{productWords}</p>
        <div className="ways">
          <button type="button" className="choice" disabled={state === 'opening'} onClick={() => void openSample()}>
            <Sprout aria-hidden />
            <b>Open the sample county</b>
            <span>{state === 'opening' ? 'Opening …' : 'Some 6,000 parcels of invented people, ready in seconds'}</span>
          </button>
          <button type="button" className="choice" onClick={() => goTo('import')}>
            <Import aria-hidden />
            <b>Import my county</b>
            <span>Choose the parcel file that the county or the state publishes</span>
          </button>
          <button type="button" className="choice" onClick={() => setState('backup')}>
            <ArchiveRestore aria-hidden />
            <b>Open a backup</b>
            <span>Parcels, notes and lists from another computer or an earlier time</span>
          </button>
        </div>
        {state instanceof ClientError ? (
          <p className="problem" role="alert">
            {state.message}
          </p>
        ) : null}
        <p className="small-text">
          Your parcels, notes and lists stay on this computer, in the folder{' '}
          <span className="mono folder-path">{home?.folder}</span>. Nothing is sent anywhere.
        </p>
      </div>
    </div>
  );
}

const BackupWay = ({ onBack }: { onBack: () => void }) => (
  <section className="page" aria-label="Open a backup">
    <header className="page-head">
      <h1>Open a backup</h1>
      <span className="grow" />
      <button type="button" className="button" onClick={onBack}>
        Back
      </button>
    </header>
    <div className="scroll">
      <div className="page-body">
        <OpenBackup />
      </div>
    </div>
  </section>
);
