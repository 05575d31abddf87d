/** The filters as a sentence above the map; each phrase opens its control and shows its effect. */
import { CodeXml, SlidersHorizontal } from 'lucide-react';
import { Fragment } from 'react';
import { phrasesOf } from '../../engine/spec/filter-sentence.ts';
import { formatNumber } from '../parts/format.ts';
import { Hint } from '../parts/hint.tsx';
import { Menu, MenuCaption, MenuItem } from '../parts/menu.tsx';
import { useClient } from '../state/client-context.tsx';
import { copyForms, copyRequest } from '../state/copy-request.ts';
import { useStore } from '../state/store.ts';
import { explore, showFilter, view } from './explore-state.ts';
import { activeFilters } from './filter-body.ts';
import { SaveSearchButton } from './saved-searches.tsx';
import { CountLine, SearchLine } from './search-footer.tsx';
import { searchRequest } from './search-request.ts';
import type { LiveCount } from './use-count.ts';
import { useWords } from './use-words.ts';
import { WorkPhrases } from './work-section.tsx';

export function SentenceBar({ live }: { live: LiveCount }) {
  const { filter } = useStore(explore);
  const { isPanelOpen } = useStore(view);
  const words = useWords();
  const count = activeFilters(filter).length;
  return (
    <div className="sentence">
      <p>
        Parcels
        {phrasesOf(filter, words).map((phrase) => (
          <Fragment key={phrase.filter}>
            {phrase.before}
            <Hint text={effectWords(live, phrase.filter)}>
              <button type="button" onClick={() => showFilter(phrase.filter)}>
                {phrase.text}
              </button>
            </Hint>
          </Fragment>
        ))}
        <WorkPhrases isFirst={count === 0} />
        {count === 0 ? (
          <>
            {' in … '}
            <button type="button" onClick={() => showFilter('county')}>
              choose a county or ZIP code
            </button>
          </>
        ) : null}
      </p>
      <CountLine live={live} />
      <button
        type="button"
        className="button only-narrow"
        aria-expanded={isPanelOpen}
        onClick={() => view.set({ isPanelOpen: !isPanelOpen })}
      >
        <SlidersHorizontal aria-hidden />
        Filters
        <span className="tag accent num">{count}</span>
      </button>
      <SearchLine live={live} />
      <SaveSearchButton />
      <CopyMenu />
    </div>
  );
}

function effectWords({ answer, isCurrent }: LiveCount, name: string): string {
  const effect = answer?.filters.find((one) => one.name === name);
  if (!effect || !answer || !isCurrent) return 'Change this filter';
  return effect.removes === 0
    ? 'It removes nothing now: as many match without it'
    : `Without it ${formatNumber(answer.count + effect.removes)} match (+${formatNumber(effect.removes)})`;
}

function CopyMenu() {
  const client = useClient();
  return (
    <Menu label="Copy as curl, Power Query, Python, Node" face={<CodeXml aria-hidden />} button="icon at-medium">
      <MenuCaption>Copy this search as</MenuCaption>
      {copyForms.map((form) => (
        <MenuItem key={form.id} onSelect={() => void copyRequest(client, form, searchRequest())}>
          {form.label}
        </MenuItem>
      ))}
    </Menu>
  );
}
