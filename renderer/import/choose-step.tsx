/** The first step: the kind of file, and the file. */
import { ArrowRight, X } from 'lucide-react';
import { formatWords } from '../../engine/spec/import-formats.ts';
import { plural } from '../parts/format.ts';
import { Segments } from '../parts/segments.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { FolderBrowser, importable } from './folder-browser.tsx';
import { lookAtChosen } from './import-flow.ts';
import { fileName, type ImportWhat, importing } from './import-state.ts';
import { Foot } from './parts.tsx';

const kinds = [
  { value: 'parcels', label: 'Parcels' },
  { value: 'layer', label: 'A layer' },
  { value: 'comps', label: 'Comps' },
  { value: 'contacts', label: 'Contacts' },
] as const;

const wordsOf: Readonly<Record<ImportWhat, { readonly formats: string; readonly docs: string }>> = {
  parcels: {
    formats: `${formatWords()} with WKT or latitude and longitude; plain or zipped`,
    docs: 'A file of a county’s or a state’s parcels. With an assessor’s table beside it (CSV, DBF, XLSX), choose both: the table is joined to the parcels.',
  },
  layer: {
    formats: 'The same formats, and GeoTIFF for elevation',
    docs: 'Roads, wetlands, flood zones, buildings, elevation, school districts or ZIP areas complete the parcels of a county.',
  },
  comps: {
    formats: 'CSV, XLSX or GeoJSON',
    docs: 'Listings and sales. The same source id again is an update, not a double.',
  },
  contacts: {
    formats: 'CSV or XLSX',
    docs: 'Names, addresses and phones for skip trace. They are kept apart from the parcels, on this computer.',
  },
};

/** One list of contacts goes in at a time: another takes its place. */
const toggle = (path: string): void =>
  importing.set(({ chosen, what }) => {
    const others = what === 'contacts' ? [] : chosen;
    return { chosen: chosen.includes(path) ? chosen.filter((one) => one !== path) : [...others, path], error: null };
  });

export function ChooseStep() {
  const client = useClient();
  const { what, chosen, busy } = useStore(importing);
  const { data: home } = useRead('home', {}, { isLasting: true });
  const take = (path: string) => {
    importing.set({ chosen: [path] });
    void lookAtChosen(client);
  };
  return (
    <>
      <div className="import-main scroll padded" data-testid="import-choose">
        <div className="line wrap">
          <Segments
            label="What is imported"
            value={what}
            choices={kinds}
            onChange={(value) => importing.set({ what: value, fips: null })}
          />
        </div>
        <p className="quieter import-lead-small">
          {wordsOf[what].docs} <span className="quietest">{wordsOf[what].formats}.</span>
        </p>
        {home?.kind === 'sample' ? (
          <p className="import-problem" role="note">
            <span>
              This home holds the sample county, which is invented. Real parcels need a home of their own: Import real
              data, above, opens it.
            </span>
          </p>
        ) : null}
        <FolderBrowser known={importable} chosen={chosen} toggle={toggle} onFile={take} />
      </div>
      <Foot
        words={chosen.length === 0 ? 'Choose a file. Nothing is copied or sent; it is read where it lies.' : <Chosen />}
      >
        <button
          type="button"
          className="button primary"
          disabled={chosen.length === 0 || busy !== null}
          onClick={() => void lookAtChosen(client)}
        >
          <ArrowRight aria-hidden />
          {chosen.length > 1 ? `Look at ${plural(chosen.length, 'file', 'files')}` : 'Look at it'}
        </button>
      </Foot>
    </>
  );
}

function Chosen() {
  const { chosen } = useStore(importing);
  return (
    <span className="line wrap">
      {chosen.map((path) => (
        <span key={path} className="chip accent" title={path}>
          <span className="ellipsis">{fileName(path)}</span>
          <button
            type="button"
            aria-label={`Do not take ${fileName(path)}`}
            onClick={() => importing.set({ chosen: chosen.filter((one) => one !== path) })}
          >
            <X aria-hidden />
          </button>
        </span>
      ))}
    </span>
  );
}
