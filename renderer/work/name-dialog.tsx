/** A dialog for one line of text: the name of a list or a search. */
import { useEffect, useRef, useState } from 'react';
import { Overlay } from '../frame/overlay.tsx';
import { type NameQuestion, navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';

export const askName = (asked: NameQuestion): void => navigation.set({ asked, over: 'name' });

export function NameDialog() {
  const { asked } = useStore(navigation);
  const [name, setName] = useState('');
  useEffect(() => setName(asked?.value ?? ''), [asked]);
  // The request being answered: a second Enter must not answer again.
  const answering = useRef<NameQuestion | null>(null);
  if (!asked) return null;
  const isEmpty = name.trim() === '';
  const submit = async () => {
    if (isEmpty || answering.current === asked) return;
    answering.current = asked;
    const isDone = await asked.done(name.trim()).finally(() => {
      if (answering.current === asked) answering.current = null;
    });
    // Another dialog may be open by then, if it took long.
    const isStillOpen = navigation.get().over === 'name' && navigation.get().asked === asked;
    if (isDone && isStillOpen) navigation.set({ over: null });
  };
  return (
    <Overlay name="name" title={asked.title} isTitled>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label className="field">
          <span className="sr">{asked.label}</span>
          <input
            value={name}
            maxLength={120}
            placeholder={asked.label}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <div className="line dialog-buttons">
          <button type="button" className="button" onClick={() => navigation.set({ over: null })}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={isEmpty}>
            {asked.button}
          </button>
        </div>
      </form>
    </Overlay>
  );
}
