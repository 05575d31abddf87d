/** Files of this computer, folder by folder: browsers hide paths from pages, and Platbook copies no files. */

import { File, Folder, FolderUp } from 'lucide-react';
import { type DragEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { bytesWords } from '../../engine/spec/bytes-words.ts';
import { importEndings } from '../../engine/spec/import-formats.ts';
import { photoEnding } from '../map/add-photos.ts';
import { formatDate } from '../parts/format.ts';
import { ErrorState, Skeleton } from '../parts/states.tsx';
import { useLate, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { fileName, importing } from './import-state.ts';

type Entry = ReadOutputOf<'list_folder'>['entries'][number];

/** Extensions that an import reads, and those of photos of the air. */
export const importable = new RegExp(`\\.(?:${importEndings.join('|')})$|${photoEnding.source}`, 'i');

interface FolderBrowserProps {
  /** Files that may be chosen; others are dimmed. */
  readonly known: RegExp;
  readonly chosen: readonly string[];
  readonly toggle: (path: string) => void;
  /** A file whose whole path was given, or that was double-clicked. */
  readonly onFile: (path: string) => void;
}

export function FolderBrowser({ known, chosen, toggle, onFile }: FolderBrowserProps) {
  const recent = useStore(importing).folders;
  const [folder, setFolder] = useState<string | undefined>(recent[0]);
  const { data, error, isPending, isPlaceholderData } = useRead(
    'list_folder',
    folder === undefined ? {} : { path: folder },
  );
  const isSlow = useLate(isPending);
  // Do not start in a folder that no longer exists.
  useEffect(() => {
    if (error && folder !== undefined && folder === recent[0]) setFolder(undefined);
  }, [error, folder, recent]);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const uri = /^file:\/\/[^\s]+/m.exec(
      event.dataTransfer.getData('text/uri-list') || event.dataTransfer.getData('text/plain'),
    );
    const dropped = [...event.dataTransfer.files].map(({ name }) => name);
    const here = data?.entries.filter(({ name }) => dropped.includes(name)) ?? [];
    if (uri) toggle(decodeURIComponent(new URL(uri[0]).pathname));
    else if (here.length > 0) for (const { path } of here) toggle(path);
    else toast('A browser does not tell where a dropped file lies. Choose it in its folder, or paste its path.');
  };
  return (
    <section
      className="folder"
      aria-label="Files of this computer"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <PathField path={data?.path ?? ''} known={known} onFolder={setFolder} onFile={onFile} />
      {recent.length > 0 ? (
        <p className="line wrap small-text recent-folders">
          <span className="quieter">Recent</span>
          {recent.map((path) => (
            <button key={path} type="button" className="link" onClick={() => setFolder(path)}>
              {fileName(path)}
            </button>
          ))}
        </p>
      ) : null}
      {error && !data ? (
        <ErrorState title="The folder could not be read" error={error} onRetry={() => setFolder(undefined)} />
      ) : null}
      {isSlow ? <Skeleton label="Reading the folder" /> : null}
      {data ? (
        <ul className="folder-list" data-current={!isPlaceholderData}>
          {data.parent === null ? null : (
            <li>
              <button type="button" className="folder-entry" onClick={() => setFolder(data.parent ?? undefined)}>
                <FolderUp aria-hidden />
                <span>Folder above</span>
              </button>
            </li>
          )}
          {data.entries.map((entry) => (
            <li key={entry.path}>
              <EntryButton
                entry={entry}
                isKnown={known.test(entry.name)}
                isChosen={chosen.includes(entry.path)}
                onFolder={setFolder}
                onFile={toggle}
                onTake={onFile}
              />
            </li>
          ))}
          {data.entries.length === 0 ? <li className="quieter folder-note">This folder is empty.</li> : null}
          {data.left_out > 0 ? <li className="quieter folder-note">{data.left_out} more are not listed.</li> : null}
        </ul>
      ) : null}
    </section>
  );
}

function EntryButton({
  entry,
  isKnown,
  isChosen,
  onFolder,
  onFile,
  onTake,
}: {
  entry: Entry;
  isKnown: boolean;
  isChosen: boolean;
  onFolder: (path: string) => void;
  onFile: (path: string) => void;
  onTake: (path: string) => void;
}) {
  // A geodatabase is a folder that is chosen as a file.
  const isFile = entry.kind === 'file' || (isKnown && /\.gdb$/i.test(entry.name));
  if (!isFile) {
    return (
      <button type="button" className="folder-entry" onClick={() => onFolder(entry.path)}>
        <Folder aria-hidden />
        <span className="ellipsis" title={entry.name}>
          {entry.name}
        </span>
      </button>
    );
  }
  return (
    <button
      type="button"
      className="folder-entry"
      aria-pressed={isChosen}
      data-known={isKnown}
      onClick={() => onFile(entry.path)}
      onDoubleClick={() => isKnown && onTake(entry.path)}
    >
      <File aria-hidden />
      <span className="ellipsis" title={entry.name}>
        {entry.name}
      </span>
      <span className="end num">{entry.size === null ? 'geodatabase' : bytesWords(entry.size)}</span>
      <span className="end num">{formatDate(entry.changed_at)}</span>
    </button>
  );
}

function PathField({
  path,
  known,
  onFolder,
  onFile,
}: {
  path: string;
  known: RegExp;
  onFolder: (path: string) => void;
  onFile: (path: string) => void;
}) {
  // Null: the shown folder. A slow folder must not replace what was typed meanwhile.
  const [text, setText] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  // If the field has the focus while the folder changes, select its text; keep what was typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what changes
  useEffect(() => {
    if (text === null && document.activeElement === field.current) field.current?.select();
  }, [path]);
  const go = (event: FormEvent) => {
    event.preventDefault();
    const given = (text ?? path).trim().replace(/^"(.*)"$/, '$1');
    if (given === '') return;
    setText(null);
    // A geodatabase is a folder with an extension; treat it as a file.
    if (known.test(given.replace(/[\\/]+$/, ''))) onFile(given);
    else onFolder(given);
  };
  return (
    <form className="line path-line" onSubmit={go}>
      <label className="field grow">
        <span className="sr">Path of a folder or file</span>
        <input
          ref={field}
          value={text ?? path}
          onFocus={(event) => event.target.select()}
          data-focus="import-path"
          placeholder="Path of a folder or file"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <button type="submit" className="button">
        Open
      </button>
    </form>
  );
}
