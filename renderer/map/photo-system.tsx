/** Asks for the coordinate system of photos that do not say theirs. */
import { useEffect, useState } from 'react';
import { DialogWindow } from '../frame/overlay.tsx';
import { windowWords } from '../import/window-words.ts';
import { useClient } from '../state/client-context.tsx';
import { openedFiles } from '../state/opened-files.ts';
import { useStore } from '../state/store.ts';
import { addPhotos } from './add-photos.ts';

export function PhotoSystemQuestion() {
  const { unplaced: question } = useStore(openedFiles);
  const client = useClient();
  const [text, setText] = useState('');
  useEffect(() => {
    if (question === null) setText('');
  }, [question]);
  const close = () => openedFiles.set({ unplaced: null });
  const code = text.trim();
  const submit = () => {
    if (question && code !== '') void addPhotos(client, question.paths, /^\d+$/.test(code) ? `EPSG:${code}` : code);
  };
  return (
    <DialogWindow
      title="Where does the photo lie?"
      isTitled
      isOpen={question !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : close())}
    >
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p role="status">{windowWords(question?.words ?? '')}</p>
        <label className="field">
          <span>Coordinate system</span>
          <input
            value={text}
            maxLength={100}
            placeholder="EPSG:26919"
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <div className="line dialog-buttons">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={code === ''}>
            Add the photo
          </button>
        </div>
      </form>
    </DialogWindow>
  );
}
