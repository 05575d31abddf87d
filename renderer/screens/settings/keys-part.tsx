/** Settings: keys of the HTTP API. Each is shown once; a revoked one stays revoked. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import type { ChangeInputOf, ChangeOutputOf } from '../../../engine/work/index.ts';
import { copyText } from '../../parts/clipboard.ts';
import { formatDate, formatTime } from '../../parts/format.ts';
import { Tick } from '../../parts/tick.tsx';
import { useClient, useRead } from '../../state/client-context.tsx';
import { toast } from '../../state/toasts.ts';

type Key = ReadOutputOf<'api_keys'>['keys'][number];
type Scope = ChangeInputOf<'create_key'>['scopes'][number];
type NewKey = ChangeOutputOf<'create_key'>;

const scopes: readonly { readonly scope: Scope; readonly words: string }[] = [
  { scope: 'read', words: 'read: parcels, comps, values, markets' },
  { scope: 'write', words: 'write: change the saved markets' },
  { scope: 'trace', words: 'trace: skip trace people' },
  { scope: 'feeds', words: 'feeds: make addresses that spreadsheets read without a key' },
];

export function KeysPart() {
  const { data } = useRead('api_keys', {});
  const [made, setMade] = useState<NewKey | null>(null);
  const work = useKeyWork();
  if (!data) return null;
  const valid = data.keys.filter(({ revoked_at: at }) => at === null);
  const ended = data.keys.filter(({ revoked_at: at }) => at !== null);
  return (
    <section className="option-lines" aria-label="Keys">
      <h2>Keys</h2>
      {valid.length === 0 ? <p className="quieter">No key yet. Every program that uses the API needs one.</p> : null}
      {valid.map((key) => (
        <KeyLine key={key.key_id} listed={key} work={work} />
      ))}
      {ended.length === 0 ? null : (
        <p className="quieter small-text">
          Revoked: {ended.map(({ name, revoked_at: at }) => `${name} (${formatDate(at ?? '')})`).join(', ')}
        </p>
      )}
      {made ? <ShownOnce made={made} onDone={() => setMade(null)} /> : <NewKeyForm work={work} onMade={setMade} />}
    </section>
  );
}

type Work = (run: () => Promise<void>) => Promise<void>;

function useKeyWork(): Work {
  const queries = useQueryClient();
  return async (run) => {
    try {
      await run();
      await queries.invalidateQueries({ queryKey: ['api_keys'] });
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  };
}

const usedWords = ({ last_used_at: at }: Key): string =>
  at === null ? 'never used' : `last used ${formatDate(at)}, ${formatTime(at)}`;

function KeyLine({ listed, work }: { listed: Key; work: Work }) {
  const client = useClient();
  const [isAsking, setAsking] = useState(false);
  const revoke = () =>
    void work(async () => {
      await client.change('revoke_key', { key_id: listed.key_id });
      toast(`The key “${listed.name}” is revoked.`);
    });
  return (
    <div>
      <span>
        {listed.name}{' '}
        <span className="small-text quieter">
          {listed.scopes.join(', ')}; made {formatDate(listed.created_at)}, {usedWords(listed)}
        </span>
        {isAsking ? (
          <span className="small-text revoke-words" role="alert">
            Programs that use it are refused from their next request on. This cannot be undone.
          </span>
        ) : null}
      </span>
      <span className="line">
        {isAsking ? (
          <>
            <button type="button" className="button" onClick={() => setAsking(false)}>
              Keep
            </button>
            <button type="button" className="button danger" onClick={revoke}>
              Revoke for good
            </button>
          </>
        ) : (
          <button type="button" className="button" aria-label={`Revoke ${listed.name}`} onClick={() => setAsking(true)}>
            Revoke
          </button>
        )}
      </span>
    </div>
  );
}

function NewKeyForm({ work, onMade }: { work: Work; onMade: (made: NewKey) => void }) {
  const client = useClient();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(['read']);
  const make = () =>
    void work(async () => onMade((await client.change('create_key', { name: name.trim(), scopes: chosen })).data));
  return (
    <form
      className="new-key"
      onSubmit={(event) => {
        event.preventDefault();
        make();
      }}
    >
      <label className="field">
        <span className="unit">For</span>
        <input
          value={name}
          maxLength={120}
          aria-label="What the key is for"
          placeholder="my spreadsheet"
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <fieldset>
        <legend className="sr">What the key may do</legend>
        {scopes.map(({ scope, words }) => (
          <Tick
            key={scope}
            label={words}
            isOn={chosen.includes(scope)}
            onChange={(isOn) =>
              setChosen(scopes.map((one) => one.scope).filter((one) => (one === scope ? isOn : chosen.includes(one))))
            }
          />
        ))}
      </fieldset>
      <button type="submit" className="button" disabled={name.trim() === '' || chosen.length === 0}>
        Make a key
      </button>
    </form>
  );
}

const ShownOnce = ({ made, onDone }: { made: NewKey; onDone: () => void }) => (
  <div className="shown-once" role="alert">
    <p>
      <b>{made.name}</b>: this is shown only now. Copy it to where it is used; Platbook stores only its hash.
    </p>
    <code className="mono">{made.key}</code>
    <p className="line">
      <button type="button" className="button primary" onClick={() => copyText(made.key, 'Key copied')}>
        Copy the key
      </button>
      <button type="button" className="button" onClick={onDone}>
        Done
      </button>
    </p>
  </div>
);
