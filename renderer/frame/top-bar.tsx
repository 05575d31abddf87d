/** Mark, county, search, "On this computer", theme, palette. */
import { Command as CommandIcon, HardDrive, Moon, Navigation, Sun, SunMedium } from 'lucide-react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { commandById } from '../commands.ts';
import { keyWords } from '../keyboard.ts';
import { IconButton } from '../parts/hint.tsx';
import { Mark } from '../parts/mark.tsx';
import { product } from '../parts/product.ts';
import { useClient } from '../state/client-context.tsx';
import { contact } from '../state/contact.ts';
import { useShownTheme } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { CountySwitcher } from './county-switcher.tsx';
import { SearchBox } from './search-box.tsx';

const themeIcons = { light: Sun, dark: Moon, outdoor: SunMedium } as const;

export function TopBar({ home }: { home: ReadOutputOf<'home'> }) {
  const client = useClient();
  const theme = useShownTheme();
  const { state } = useStore(contact);
  const ThemeIcon = themeIcons[theme];
  const palette = commandById('palette');
  const fieldMode = commandById('field');
  return (
    <header className="top">
      <span className="mark" title={product}>
        <Mark />
      </span>
      <b className="at-wide">{product}</b>
      <CountySwitcher home={home} />
      <span className="grow" />
      {home.counties.length > 0 ? <SearchBox /> : null}
      <span className="grow" />
      <span className="line nowrap on-this-computer at-medium" data-contact={state}>
        <HardDrive aria-hidden />
        {state === 'here' ? 'On this computer' : 'Not answering'}
      </span>
      {home.counties.length > 0 ? (
        <IconButton label="Field mode" keys={keyWords(fieldMode.keys ?? '')} onPress={() => fieldMode.run(client)}>
          <Navigation aria-hidden />
        </IconButton>
      ) : null}
      <IconButton label={`Theme: ${theme}; light, dark, outdoor`} onPress={() => commandById('theme').run(client)}>
        <ThemeIcon aria-hidden />
      </IconButton>
      <IconButton label="Command palette" keys={keyWords(palette.keys ?? '')} onPress={() => palette.run(client)}>
        <CommandIcon aria-hidden />
      </IconButton>
    </header>
  );
}
