/** A county's readiness: loaded and missing layers, the filters that each enables, and where its public file is. */
import { Check, Copy, X } from 'lucide-react';
import { useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { isLayerKind } from '../../engine/spec/layer-titles.ts';
import { copyText } from '../parts/clipboard.ts';
import { columnLabel, plural } from '../parts/format.ts';
import { IconButton } from '../parts/hint.tsx';
import { EmptyState, ErrorState, Skeleton } from '../parts/states.tsx';
import { useLate, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { CountyField } from './county-field.tsx';
import { beginAgain, importing } from './import-state.ts';

type Source = ReadOutputOf<'sources'>['sources'][number];

export function MissingView() {
  const { fips: chosen } = useStore(importing);
  const { data: home } = useRead('home', {}, { isLasting: true });
  const fips = chosen ?? home?.counties[0]?.fips ?? null;
  const { data: place } = useRead('county_place', { fips: fips ?? '' }, { when: fips !== null, isLasting: true });
  const { data, error, isPending, refetch } = useRead(
    'sources',
    { fips: fips ?? '' },
    { when: fips !== null, isLasting: true },
  );
  const isSlow = useLate(isPending && fips !== null);
  return (
    <div className="import-main scroll padded">
      <div className="line wrap missing-head">
        <span className="quieter">County</span>
        <CountyField county={place?.county ?? null} onChange={(code) => importing.set({ fips: code })} />
      </div>
      {fips === null ? (
        <EmptyState
          title="Which county?"
          text="Name one, and see what the public has of it and what each file unlocks."
        />
      ) : null}
      {error && !data ? (
        <ErrorState title="The sources could not be read" error={error} onRetry={() => void refetch()} />
      ) : null}
      {isSlow && !data ? <Skeleton label="Reading the sources" /> : null}
      {data ? (
        <>
          <p className="quieter">
            Nothing is downloaded by Platbook. Fetch a file with your browser, then import it here; files are used as
            they come.
          </p>
          <ul className="sources">
            {data.sources.map((source) => (
              <SourceLine key={source.kind} source={source} fips={data.fips} />
            ))}
          </ul>
          {data.notes.map((note) => (
            <p key={note} className="quieter">
              {note}
            </p>
          ))}
        </>
      ) : null}
    </div>
  );
}

const wizardOf: Readonly<Record<string, 'parcels' | 'comps'>> = { parcels: 'parcels', sales: 'comps' };

function SourceLine({ source, fips }: { source: Source; fips: string }) {
  const { kind, title, docs, isLoaded, loaded, waiting, unlocks, published, files } = source;
  const [isOpen, setOpen] = useState(false);
  const start = () =>
    beginAgain(
      isLayerKind(kind) ? { what: 'layer', layerKind: kind, fips } : { what: wizardOf[kind] ?? 'parcels', fips },
    );
  const isImported = isLayerKind(kind) || wizardOf[kind] !== undefined;
  return (
    <li className="source" data-loaded={isLoaded}>
      {isLoaded ? <Check aria-label="Loaded" className="fine" /> : <X aria-label="Missing" className="warns" />}
      <div className="grow">
        <div className="line wrap">
          <b className="strong">{title}</b>
          <span className="quieter">{isLoaded ? loaded.join('; ') : docs}</span>
        </div>
        {waiting === null ? null : <p className="small-text warns">{waiting}</p>}
        {unlocks.length > 0 ? (
          <p className="small-text quieter">
            Unlocks{' '}
            {unlocks
              .slice(0, isOpen ? unlocks.length : 5)
              .map(({ label }) => label)
              .join(', ')}
            {unlocks.length > 5 ? (
              <>
                {' '}
                <button type="button" className="link" onClick={() => setOpen(!isOpen)}>
                  {isOpen ? 'fewer' : `and ${unlocks.length - 5} more`}
                </button>
              </>
            ) : null}
          </p>
        ) : null}
        {published.length > 0 && !isLoaded ? (
          <p className="small-text quieter">
            The county’s file says already:{' '}
            {published
              .map(({ column, parcels }) => `${columnLabel(column)} of ${plural(parcels, 'parcel', 'parcels')}`)
              .join(', ')}
          </p>
        ) : null}
        <ul className="source-files">
          {files.map((file) => (
            <li key={`${file.name} ${file.url}`} className="line source-file">
              <span className="mono ellipsis" title={file.name}>
                {file.name}
              </span>
              <span className="quieter small-text ellipsis grow" title={file.docs}>
                {file.publisher}
              </span>
              <IconButton label={`Copy the name ${file.name}`} onPress={() => copyText(file.name, 'Name copied')}>
                <Copy aria-hidden />
              </IconButton>
              <button
                type="button"
                className="button quiet"
                aria-label={`Copy address of ${file.name}`}
                onClick={() => copyText(file.url, 'Address copied')}
              >
                Copy address
              </button>
            </li>
          ))}
        </ul>
      </div>
      {isImported ? (
        <button type="button" className="button" aria-label={`Import ${title}`} onClick={start}>
          Import
        </button>
      ) : null}
    </li>
  );
}
