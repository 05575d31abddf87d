/** The frame around every screen, and the first run of an empty home. */
import { useQueryClient } from '@tanstack/react-query';
import { Tooltip } from 'radix-ui';
import { Component, Fragment, type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { sampleSearch } from '../../engine/spec/sample-search.ts';
import { attachTo, explore, type ShownHome } from '../explore/explore-state.ts';
import { beginWithSearch } from '../explore/first-search.ts';
import { FeedDialog } from '../export/feed-dialog.tsx';
import { ShareDialog } from '../export/share-dialog.tsx';
import { listenForKeys } from '../keyboard.ts';
import { PhotoSystemQuestion } from '../map/photo-system.tsx';
import { ErrorState, Skeleton } from '../parts/states.tsx';
import { railScreens, screenList } from '../screens/screens.tsx';
import { useClient, useLate, useRead } from '../state/client-context.tsx';
import { watchFocus } from '../state/focus-place.ts';
import { navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { TraceDialog } from '../trace/trace-dialog.tsx';
import { PhotoImportDialog } from '../visits/photo-import-dialog.tsx';
import { WorkDialogs } from '../work/work-dialogs.tsx';
import { Banners, GoneBanner } from './banners.tsx';
import { WalkQuestion } from './dropped-files.tsx';
import { FirstRun } from './first-run.tsx';
import { Palette } from './palette.tsx';
import { ShortcutList } from './shortcut-list.tsx';
import { StatusBar } from './status-bar.tsx';
import { Toasts } from './toasts.tsx';
import { TopBar } from './top-bar.tsx';

export function App() {
  const client = useClient();
  useEffect(() => listenForKeys(client), [client]);
  useEffect(() => watchFocus(), []);
  return (
    <Tooltip.Provider delayDuration={500}>
      <ErrorBoundary>
        <Frame />
      </ErrorBoundary>
    </Tooltip.Provider>
  );
}

type Home = ReadOutputOf<'home'>;

function Frame() {
  const { data: home, error, isPending, refetch } = useRead('home', {}, { isLasting: true });
  const isSlow = useLate(isPending);
  const { screen } = useStore(navigation);
  const isAttached = useAttached(home);
  useFreshWithHome(home);
  if (error && !home) {
    return (
      <main className="first-run">
        <ErrorState title="Platbook could not be opened" error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  if (!home || !isAttached) {
    return (
      <>
        <GoneBanner />
        {isSlow ? <Skeleton label="Opening" /> : null}
      </>
    );
  }
  const shown = screenList.find(({ id }) => id === screen);
  const Content = shown?.content;
  if (Content && shown.isFull && home.counties.length > 0) {
    return (
      <ErrorBoundary key={screen}>
        <Content />
        <Palette />
        <ShortcutList />
      </ErrorBoundary>
    );
  }
  return (
    <div className="app">
      <TopBar home={home} />
      <Banners isSample={home.kind === 'sample'} />
      <Rail />
      <main className="main" tabIndex={-1} data-focus="main">
        <ErrorBoundary key={screen}>
          {home.counties.length === 0 ? <FirstRun /> : Content ? <Content /> : null}
        </ErrorBoundary>
      </main>
      <StatusBar home={home} />
      <Palette />
      <ShortcutList />
      <TraceDialog />
      <FeedDialog />
      <ShareDialog />
      <WorkDialogs />
      <WalkQuestion />
      <PhotoSystemQuestion />
      <PhotoImportDialog />
      <Toasts />
    </div>
  );
}

const shownHome = ({ kind, folder, datasets, counties, first_search: paid }: Home): ShownHome => ({
  ...(paid ? { firstFilter: sampleSearch } : {}),
  homeKey: `${kind} ${folder}`,
  dataKey: JSON.stringify(datasets.map(({ fips, jurisdiction, imported_at: at }) => [fips, jurisdiction, at])),
  counties: counties.map(({ fips }) => fips),
});

/** Before the first drawing: drops stored state of another home, such as a filter for a missing county. */
function useAttached(home: Home | undefined): boolean {
  const client = useClient();
  return useMemo(() => {
    if (!home) return false;
    const { homeKey } = explore.get();
    attachTo(shownHome(home));
    if (home.first_search && explore.get().homeKey !== homeKey) beginWithSearch(client, home.first_search);
    return true;
  }, [client, home]);
}

/** Work of the command line sends no message (`withOtherWindows`): if the land has changed, reloads everything. */
function useFreshWithHome(home: Home | undefined): void {
  const queries = useQueryClient();
  const key = home?.generation;
  const before = useRef<string>(undefined);
  useEffect(() => {
    const known = before.current;
    before.current = key;
    if (known === undefined || known === key) return;
    void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== 'home' });
  }, [key, queries]);
}

/** Shows a fault of the window itself with what to do, never with a stack. */
interface Caught {
  readonly error: Error | null;
}

class ErrorBoundary extends Component<{ readonly children: ReactNode }, Caught> {
  override state: Caught = { error: null };

  static getDerivedStateFromError(error: unknown): Caught {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="page">
        <ErrorState
          title="This part of the window has stopped"
          error={new Error(`Your data is not touched. What happened: ${error.message}`)}
          onRetry={() => this.setState({ error: null })}
        />
      </div>
    );
  }
}

/** The screens, 1 to 8. */
function Rail() {
  const { screen } = useStore(navigation);
  const firstLow = railScreens.findIndex(({ isLow }) => isLow);
  const current = screenList.find(({ id }) => id === screen)?.within ?? screen;
  return (
    <nav className="rail" aria-label="Screens">
      {railScreens.map(({ id, title, icon: Icon }, i) => (
        <Fragment key={id}>
          {i === firstLow ? <span className="grow" /> : null}
          <a href={`#/${id}`} title={`${title}  ${i + 1}`} aria-current={id === current ? 'page' : undefined}>
            <Icon aria-hidden />
            <span>{title}</span>
          </a>
        </Fragment>
      ))}
    </nav>
  );
}
