/** The `?` list. */
import { commandsHere } from '../commands.ts';
import { keyWords } from '../keyboard.ts';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { Overlay } from './overlay.tsx';

export function ShortcutList() {
  const { letters } = useStore(settings);
  const withKeys = commandsHere().filter(({ keys }) => keys !== null);
  const groups = [...new Set(withKeys.map(({ group }) => group))];
  return (
    <Overlay name="shortcuts" title="Shortcuts" isTitled>
      <div className="shortcuts">
        {letters ? null : <p className="quieter">Single letters are switched off in Settings.</p>}
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <ul>
              {withKeys
                .filter((command) => command.group === group)
                .map(({ id, title, keys }) => (
                  <li key={id}>
                    {title}
                    <kbd>{keyWords(keys ?? '')}</kbd>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </Overlay>
  );
}
