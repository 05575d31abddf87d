/** Settings: the data folder, backup and restore, a copy to share. */

import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import { bytesWords } from '../../../engine/spec/bytes-words.ts';
import { saveFile } from '../../export/save-file.ts';
import { copyText } from '../../parts/clipboard.ts';
import { formatDate } from '../../parts/format.ts';
import { Tick } from '../../parts/tick.tsx';
import { useClient, useLate, useRead } from '../../state/client-context.tsx';
import { toast } from '../../state/toasts.ts';

type Place = ReadOutputOf<'data_place'>;

export function DataPart() {
  const { data, refetch } = useRead('data_place', {});
  if (!data) return null;
  return (
    <section className="option-lines" aria-label="Backup and data folder">
      <h2>Data folder</h2>
      {data.warning === null ? null : (
        <p className="note warn">
          <TriangleAlert aria-hidden />
          {data.warning}
        </p>
      )}
      <div>
        <span className="mono folder-path">{data.folder}</span>
        <button type="button" className="button" onClick={() => copyText(data.folder)}>
          Copy
        </button>
      </div>
      {data.files.map(({ name, bytes }) => (
        <div key={name}>
          <span className="mono">{name}</span>
          <span className="num quieter">{bytesWords(bytes)}</span>
        </div>
      ))}
      <BackupLines place={data} onChanged={() => void refetch()} />
    </section>
  );
}

function BackupLines({ place, onChanged }: { place: Place; onChanged: () => void }) {
  const [working, setWorking] = useState<string | null>(null);
  const isSlow = useLate(working !== null);
  const work = async (words: string, run: () => Promise<void>): Promise<void> => {
    setWorking(words);
    try {
      await run();
      onChanged();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    } finally {
      setWorking(null);
    }
  };
  const props = { work, isBusy: working !== null };
  return (
    <>
      <h2>Backup</h2>
      <Backup {...props} />
      <Copies place={place} />
      <h2>Restore</h2>
      <Restore {...props} planned={place.planned_restore} />
      <p role="status" className="small-text quieter">
        {isSlow ? working : ''}
      </p>
    </>
  );
}

interface WorkProps {
  readonly work: (words: string, run: () => Promise<void>) => Promise<void>;
  readonly isBusy: boolean;
}

function Backup({ work, isBusy }: WorkProps) {
  const client = useClient();
  const back = (onlyMyWork: boolean) =>
    void work('Writing the backup …', async () => {
      const data = await client.read('make_backup', { only_my_work: onlyMyWork });
      saveFile(data);
      toast(`${data.name}: ${bytesWords(data.bytes)}. Keep it on another disk.`);
    });
  const share = () =>
    void work('Writing the copy …', async () => {
      const data = await client.read('make_share_copy', {});
      saveFile(data);
      toast(`${data.name}: ${bytesWords(data.bytes)}, without contacts, notes, lists, waypoints, tracks and photos.`);
    });
  return (
    <>
      <div>
        <span>
          Everything in one zip file <span className="small-text quieter">or only your notes, lists and keys</span>
        </span>
        <span className="button-row">
          <button type="button" className="button" disabled={isBusy} onClick={() => back(false)}>
            Back up now
          </button>
          <button type="button" className="button" disabled={isBusy} onClick={() => back(true)}>
            My work only
          </button>
        </span>
      </div>
      <div>
        <span>
          A copy to share <span className="small-text quieter">land.sqlite for QGIS, without people and your work</span>
        </span>
        <button type="button" className="button" disabled={isBusy} onClick={share}>
          Save a copy to share
        </button>
      </div>
    </>
  );
}

const Copies = ({ place: { copies } }: { place: Place }) => (
  <div>
    <span>
      Daily copies of account.sqlite{' '}
      <span className="small-text quieter">in the folder backups, the last seven; on this disk</span>
    </span>
    <span className="num quieter">
      {copies.length === 0 ? 'none yet' : copies.map(({ day }) => formatDate(day)).join(', ')}
    </span>
  </div>
);

function Restore({ work, isBusy, planned }: WorkProps & { readonly planned: Place['planned_restore'] }) {
  const client = useClient();
  const [file, setFile] = useState('');
  const [onlyMyWork, setOnlyMyWork] = useState(false);
  if (planned) {
    const cancel = () =>
      void work('Canceling …', async () => {
        await client.change('cancel_restore', {});
        toast('The restore is canceled; nothing was changed.');
      });
    return (
      <div>
        <span>
          The backup of {formatDate(planned.made_at)} ({planned.contents}) is put in place at the next start. What
          stands now is then kept in the folder before-restore.
        </span>
        <button type="button" className="button" disabled={isBusy} onClick={cancel}>
          Cancel the restore
        </button>
      </div>
    );
  }
  const plan = () =>
    void work('Checking the backup …', async () => {
      const { data } = await client.change('plan_restore', { file: file.trim(), only_my_work: onlyMyWork });
      toast(`The backup of ${formatDate(data.made_at)} is ready: stop Platbook and start it again.`);
    });
  return (
    <form
      className="restore-form"
      onSubmit={(event) => {
        event.preventDefault();
        plan();
      }}
    >
      <p className="small-text quieter">
        The backup is checked now and put in place at the next start. What stands until then is moved into a folder of
        its own, never deleted.
      </p>
      <label className="field">
        <span className="unit">File</span>
        <input
          value={file}
          placeholder="/home/me/platbook-backup.zip"
          onChange={(event) => setFile(event.target.value)}
        />
      </label>
      <Tick label="My work only: parcels and people stay" isOn={onlyMyWork} onChange={setOnlyMyWork} />
      <button type="submit" className="button" disabled={isBusy || file.trim() === ''}>
        Check and restore at the next start
      </button>
    </form>
  );
}
