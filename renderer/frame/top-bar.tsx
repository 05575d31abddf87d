/** Mark, county, search, "On this computer", theme, palette. */
import { Command as CommandIcon, HardDrive, Moon, Sun, SunMedium } from 'lucide-react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { commandById } from '../commands.ts';
import { keyWords } from '../keyboard.ts';
import { IconButton } from '../parts/hint.tsx';
import { Mark } from '../parts/mark.tsx';
import { useClient } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { CountySwitcher } from './county-switcher.tsx';
import { SearchBox } from './search-box.tsx';

const themeIcons = { light: Sun, dark: Moon, outdoor: SunMedium } as const;

export function TopBar({ home }: { home: ReadOutputOf<'home'> }) {
  const client = useClient();
  const { theme } = useStore(settings);
  const ThemeIcon = themeIcons[theme];
  const palette = commandById('palette');
  return (
    <header className="top">
      <span className="mark" title="Platbook">
        <Mark />
      </span>
      <CountySwitcher home={home} />
      <span className="grow" />
      {home.counties.length > 0 ? <SearchBox /> : null}
      <span className="grow" />
      <span className="line nowrap on-this-computer at-medium">
        <HardDrive aria-hidden />
        On this computer
      </span>
      <IconButton label={`Theme: ${theme}; light, dark, outdoor`} onPress={() => commandById('theme').run(client)}>
        <ThemeIcon aria-hidden />
      </IconButton>
      <IconButton label="Command palette" keys={keyWords(palette.keys ?? '')} onPress={() => palette.run(client)}>
        <CommandIcon aria-hidden />
      </IconButton>
    </header>
  );
}
