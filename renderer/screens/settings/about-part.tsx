/** Settings: diagnostics for support; the version, how to remove Platbook, the licences. */
import { useState } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import { copyText } from '../../parts/clipboard.ts';
import { formatDate } from '../../parts/format.ts';
import { useRead } from '../../state/client-context.tsx';
import { toast } from '../../state/toasts.ts';

type Home = ReadOutputOf<'home'>;

/** Set by the build (vite.config.ts): `2026-11-28`; empty if it was built outside a checkout. */
declare const commitDay: string;

export function DiagnosticsPart() {
  const { data, refetch } = useRead('diagnostics', {});
  if (!data) return null;
  const copy = async () => copyText((await refetch()).data?.text ?? data.text, 'Diagnostics copied');
  return (
    <section className="option-lines" aria-label="Diagnostics">
      <h2>Diagnostics</h2>
      <p className="quieter small-text">
        Versions, sizes and counts for support: no names, no parcels, no folders, no keys. This is all of it; it goes
        nowhere unless you send it.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre className="code-block" tabIndex={0}>
        {data.text}
      </pre>
      <p>
        <button type="button" className="button" onClick={() => void copy()}>
          Copy as text
        </button>
      </p>
    </section>
  );
}

export function AboutPart() {
  const { data: home } = useRead('home', {}, { isLasting: true });
  if (!home) return null;
  return (
    <section className="option-lines" aria-label="About">
      <h2>About</h2>
      <Versions versions={home.versions} />
      <Licences />
      <Removal />
      <h2>Data</h2>
      {home.datasets.length === 0 ? <p className="quieter">No data yet.</p> : null}
      {home.datasets.map(({ dataset_id: id, source_name: name, fips, source_date: date }) => (
        <div key={id}>
          <span>{name}</span>
          <span className="num quieter nowrap">
            {home.counties.find((county) => county.fips === fips)?.name} {fips}, {formatDate(date)}
          </span>
        </div>
      ))}
    </section>
  );
}

const titles: Readonly<Record<string, string>> = {
  platbook: 'Platbook',
  checksum: 'Checksum of the program',
  node: 'Node.js',
  sqlite: 'SQLite',
};

const Versions = ({ versions }: { versions: Home['versions'] }) => (
  <>
    {Object.entries(versions).map(([name, version]) => (
      <div key={name}>
        <span>{titles[name] ?? name}</span>
        <span className="mono folder-path">
          {version}
          {name === 'platbook' && commitDay !== '' ? `, ${formatDate(commitDay)}` : ''}
        </span>
      </div>
    ))}
  </>
);

function Removal() {
  const { data: place } = useRead('data_place', {}, { isLasting: true });
  if (!place) return null;
  return (
    <>
      <h2>Remove Platbook</h2>
      <p className="quieter small-text">
        Close it and delete its program folder, or remove its package. Your data stay until you delete their folders
        too:
      </p>
      {place.folders.map((folder) => (
        <div key={folder}>
          <span className="mono folder-path">{folder}</span>
        </div>
      ))}
    </>
  );
}

/** A long file that the build puts beside the pages; loaded on request. */
function Licences() {
  const [text, setText] = useState<string | null>(null);
  const show = async () => {
    try {
      const answer = await fetch('licences.txt');
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      setText(await answer.text());
    } catch (error) {
      toast(`The licences could not be read: ${String(error)}`);
    }
  };
  return (
    <>
      <div>
        <span>
          Licence <span className="small-text quieter">Platbook is MIT; its components have their own</span>
        </span>
        <button
          type="button"
          className="button"
          aria-expanded={text !== null}
          onClick={() => (text === null ? void show() : setText(null))}
        >
          {text === null ? 'Show all licences' : 'Close'}
        </button>
      </div>
      {text === null ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <pre className="code-block" tabIndex={0}>
          {text}
        </pre>
      )}
    </>
  );
}
