/** The filter panel: the filter table as controls, and the priced Search below. */
import { ChevronDown } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { useFocusBack } from '../parts/use-focus-back.ts';
import { useIsNarrow } from '../parts/use-window-width.ts';
import { useRead } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { type PanelData, PanelDataProvider } from './controls/control-frame.tsx';
import { FilterControl } from './controls/filter-control.tsx';
import { explore, resetFilter, view } from './explore-state.ts';
import { activeFilters, hasScope, scopeBody } from './filter-body.ts';
import { type PanelSection, panelSections, sectionOfFilter } from './panel-sections.ts';
import { SavedMenu } from './saved-searches.tsx';
import { SearchFooter } from './search-footer.tsx';
import type { LiveCount } from './use-count.ts';
import { WorkSection } from './work-section.tsx';

function usePanelData(live: LiveCount): PanelData {
  const { filter } = useStore(explore);
  const scope = scopeBody(filter);
  const { data: coverage } = useRead('coverage', { filter: scope }, { when: hasScope(scope), isLasting: true });
  return useMemo(
    () => ({
      filter,
      count: live.isCurrent ? (live.answer?.count ?? null) : null,
      effects: new Map((live.answer?.filters ?? []).map((effect) => [effect.name, effect])),
      known: new Map((coverage?.filters ?? []).map(({ name, known }) => [name, known])),
      unmatched: new Map(
        (live.answer?.count ? live.answer.unmatched : []).map(({ name, values }) => [name, values] as const),
      ),
    }),
    [filter, live.isCurrent, live.answer, coverage],
  );
}

export function FilterPanel({ live, width }: { live: LiveCount; width: number | null }) {
  const data = usePanelData(live);
  const scroll = useShownFilter();
  const frame = useRef<HTMLElement>(null);
  // In a small window it lies over the screen, and stands before the button that opens it.
  useFocusBack(useIsNarrow(), () => frame.current?.focus());
  const count = activeFilters(data.filter).length;
  return (
    <section
      ref={frame}
      className="pane filter-panel"
      aria-label="Filters"
      tabIndex={-1}
      style={width === null ? {} : { width }}
    >
      <div className="pane-head">
        <h2>Filters</h2>
        <span className="tag accent num">
          {count}
          <span className="sr"> in use</span>
        </span>
        <span className="grow" />
        <SavedMenu />
        <button type="button" className="button quiet" onClick={resetFilter}>
          Reset
        </button>
        <button type="button" className="button quiet only-narrow" onClick={() => view.set({ isPanelOpen: false })}>
          Close
        </button>
      </div>
      <div className="scroll" ref={scroll}>
        <PanelDataProvider value={data}>
          {panelSections.map((section) => (
            <Section key={section.id} section={section} data={data} />
          ))}
          <WorkSection />
        </PanelDataProvider>
      </div>
      <SearchFooter live={live} />
    </section>
  );
}

/** Scrolls to the control requested by a phrase of the sentence, and focuses it. */
function useShownFilter() {
  const { shown } = useStore(view);
  const scroll = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!shown) return;
    const section = sectionOfFilter(shown.name);
    if (section) openSection(section);
    // Waits until the section has opened.
    const frame = requestAnimationFrame(() => {
      const control = scroll.current?.querySelector(`[data-filter~="${shown.name}"]`);
      control?.scrollIntoView({ block: 'center' });
      // Skips the first chip: the next key would remove a place.
      control?.querySelector<HTMLElement>(':is(input, button, select, textarea):not(.chip *)')?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [shown]);
  return scroll;
}

const isOpenIn = (toggled: readonly string[], { id, isOpen }: PanelSection): boolean => toggled.includes(id) !== isOpen;

function openSection(section: PanelSection): void {
  const { toggledSections } = settings.get();
  if (!isOpenIn(toggledSections, section)) toggleSection(section);
}

const toggleSection = ({ id }: PanelSection): void =>
  settings.set(({ toggledSections: before }) => ({
    toggledSections: before.includes(id) ? before.filter((one) => one !== id) : [...before, id],
  }));

function Section({ section, data }: { section: PanelSection; data: PanelData }) {
  const { toggledSections } = useStore(settings);
  const isOpen = isOpenIn(toggledSections, section);
  const inUse = activeFilters(data.filter).filter((row) => section.rows.includes(row)).length;
  const isWhollyAbsent = section.rows.every((row) => data.known.get(row.name) === 0) && inUse === 0;
  const content = `section-${section.id}`;
  return (
    <div className="section">
      <button
        type="button"
        className="section-head"
        aria-expanded={isOpen}
        aria-controls={content}
        onClick={() => toggleSection(section)}
      >
        <span className={isWhollyAbsent ? 'quietest' : ''}>{section.title}</span>
        <span className="grow" />
        {inUse > 0 && !isOpen ? <span className="tag accent num">{inUse}</span> : null}
        {isWhollyAbsent ? <span className="quietest small-text">not in this county’s file</span> : null}
        <ChevronDown aria-hidden className="small" />
      </button>
      {isOpen ? (
        <div id={content} className="control">
          {section.rows.map((row) => (
            <FilterControl key={row.name} row={row} />
          ))}
        </div>
      ) : null}
    </div>
  );
}
