/** Every command by name. */
import { Command as Cmdk, useCommandState } from 'cmdk';
import { Search } from 'lucide-react';
import { commandsHere } from '../commands.ts';
import { keyWords } from '../keyboard.ts';
import { useClient, useRead } from '../state/client-context.tsx';
import { navigation } from '../state/navigation.ts';
import { NothingListed } from './nothing-listed.tsx';
import { Overlay } from './overlay.tsx';

export function Palette() {
  const client = useClient();
  const { data: home } = useRead('home', {}, { isLasting: true });
  const here = home?.kind === 'sample' ? 'sample' : 'own';
  return (
    <Overlay name="palette" title="Find a command">
      <Cmdk label="Commands" loop>
        <div className="palette-input">
          <Search aria-hidden />
          <Cmdk.Input placeholder="What do you want to do?" />
        </div>
        <Cmdk.List className="palette-list">
          {commandsHere()
            .filter(({ id, onlyIn = here }) => id !== 'palette' && id !== 'back' && onlyIn === here)
            .map((command) => (
              <Cmdk.Item
                key={command.id}
                className="menu-item"
                value={`${command.title} ${command.group}`}
                onSelect={() => {
                  navigation.set({ over: null });
                  // Waits until the dialog, which traps the focus, is gone.
                  setTimeout(() => command.run(client), 0);
                }}
              >
                {command.title}
                {command.keys === null ? null : <kbd className="end">{keyWords(command.keys)}</kbd>}
              </Cmdk.Item>
            ))}
        </Cmdk.List>
        <NoCommand />
      </Cmdk>
    </Overlay>
  );
}

function NoCommand() {
  const found = useCommandState(({ filtered }) => filtered.count);
  return <NothingListed isEmpty={found === 0}>No command matches.</NothingListed>;
}
