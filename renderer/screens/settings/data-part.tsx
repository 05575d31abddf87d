/** Settings: the data folder, backup and restore, a copy to share. */

import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import { bytesWords } from '../../../engine/spec/bytes-words.ts';
import { saveFile } from '../../export/save-file.ts';
import { FolderBrowser } from '../../import/folder-browser.tsx';
import { fileName } from '../../import/import-state.ts';
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

/** One long work at a time; `words` say which, once it is slow. */
function useFileWork(onChanged: () => void) {
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
  return { props: { work, isBusy: working !== null }, words: isSlow ? working : '' };
}

function BackupLines({ place, onChanged }: { place: Place; onChanged: () => void }) {
  const { props, words } = useFileWork(onChanged);
  return (
    <>
      <h2>Backup</h2>
      <Backup {...props} />
      <Copies place={place} />
      <h2>Restore</h2>
      <Restore {...props} planned={place.planned_restore} />
      <p role="status" className="small-text quieter">
        {words}
      </p>
    </>
  );
}

/** For the first screen, where nothing stands yet that could stay. */
export function OpenBackup() {
  const { data, refetch } = useRead('data_place', {});
  const { props, words } = useFileWork(() => void refetch());
  if (!data) return null;
  return (
    <section className="option-lines" aria-label="Open a backup">
      <Restore {...props} planned={data.planned_restore} isFirst />
      <p role="status" className="small-text quieter">
        {words}
      </p>
    </section>
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

interface RestoreProps extends WorkProps {
  readonly planned: Place['planned_restore'];
  readonly isFirst?: boolean;
}

function Restore({ work, isBusy, planned, isFirst = false }: RestoreProps) {
  const client = useClient();
  const [file, setFile] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(isFirst);
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
          The backup of {formatDate(planned.made_at)} ({planned.contents}) is ready: close Platbook and start it again.
          {isFirst ? '' : ' What stands now is then kept in the folder before-restore.'}
        </span>
        <button type="button" className="button" disabled={isBusy} onClick={cancel}>
          Cancel the restore
        </button>
      </div>
    );
  }
  const plan = (path: string) =>
    void work('Checking the backup …', async () => {
      await client.change('plan_restore', { file: path, only_my_work: onlyMyWork });
      setFile(null);
    });
  const words = 'The backup is checked now and put in place at the next start.';
  return (
    <section className="restore-form" aria-label="Restore">
      <p className="small-text quieter">
        {isFirst ? words : `${words} What stands until then is moved into a folder of its own, never deleted.`}
      </p>
      {isOpen ? (
        <FolderBrowser
          known={/\.zip$/i}
          chosen={file === null ? [] : [file]}
          toggle={(path) => setFile(path === file ? null : path)}
          onFile={setFile}
        />
      ) : (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          Choose a backup …
        </button>
      )}
      {isFirst || !isOpen ? null : (
        <Tick label="My work only: parcels and people stay" isOn={onlyMyWork} onChange={setOnlyMyWork} />
      )}
      {isOpen ? (
        <button
          type="button"
          className="button primary"
          disabled={isBusy || file === null}
          onClick={() => file !== null && plan(file)}
        >
          {file === null ? 'Choose the zip file of a backup' : `Restore ${fileName(file)} at the next start`}
        </button>
      ) : null}
    </section>
  );
}
