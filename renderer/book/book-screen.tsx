/** Print: a plat book of a county, a filter, a list or a market; its pages stand on the map before any is made. */
import { useStore } from '../state/store.ts';
import { BookFoot } from './book-foot.tsx';
import { BookForm } from './book-form.tsx';
import { BookMap } from './book-map.tsx';
import { book } from './book-state.ts';
import { type BookPlan, useBookPlan } from './use-book-plan.ts';
import { useBookSources } from './use-book-sources.ts';

/** One and the same, so that the map is not drawn again. */
const noLand: readonly number[] = [];
const noFrames: BookPlan['frames'] = [];

export function BookScreen() {
  const { groups, chosen } = useBookSources();
  const used = useBookPlan(chosen);
  const { page } = useStore(book);
  const frames = used.plan?.frames ?? noFrames;
  const shown = frames.find(({ name }) => name === page) ?? frames[0] ?? null;
  return (
    <section className="page" aria-label="Print">
      <header className="page-head">
        <h1>Print</h1>
        <span className="quieter">A plat book: owners and acres on maps to scale, with an index, as one PDF. Free</span>
      </header>
      <div className="book">
        <section className="pane book-panel" aria-label="The book">
          <BookForm groups={groups} chosen={chosen} used={used} />
          <BookFoot chosen={chosen} used={used} page={shown?.name ?? null} />
        </section>
        <BookMap
          frames={frames}
          land={used.plan?.land ?? noLand}
          shown={shown?.name ?? null}
          onShow={(name) => book.set({ page: name })}
        />
      </div>
    </section>
  );
}
