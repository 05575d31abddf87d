/** Banners over every screen: the sample, and problems with the disk, the folder or old data. */
import { useQueryClient } from '@tanstack/react-query';
import { CalendarClock, CloudOff, HardDrive, type LucideIcon, PlugZap, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { formatNumber } from '../parts/format.ts';
import { useRead } from '../state/client-context.tsx';
import { type Contact, contact } from '../state/contact.ts';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { usePlan } from '../state/use-plan.ts';
import { keptChanges } from '../work/kept-changes.ts';
import { SampleBanner } from './sample-banner.tsx';

type HomeState = ReadOutputOf<'home_state'>;
type Hindrance = NonNullable<HomeState['hindrance']>;

/** Often enough to notice a full disk, rarely enough to cost nothing. */
const askMilliseconds = 30_000;
const askSoonMilliseconds = 3000;

/** Asked again and again: a disk fills, and other programs work, while the user does. */
function useHomeState(): { readonly data: HomeState | undefined; readonly count: number } {
  const queries = useQueryClient();
  const { data, refetch } = useRead('home_state', {});
  const { count } = useStore(keptChanges);
  const { state } = useStore(contact);
  const isUrgent = count > 0 || data?.hindrance !== null;
  useEffect(() => {
    void refetch();
    const ask = () => {
      void refetch();
      void queries.invalidateQueries({ queryKey: ['home'] });
    };
    const timer = setInterval(ask, isUrgent ? askSoonMilliseconds : askMilliseconds);
    return () => clearInterval(timer);
  }, [isUrgent, refetch, queries]);
  useFreshAfterGap(state);
  return { data, count };
}

export function Banners({ isSample }: { isSample: boolean }) {
  const { data, count } = useHomeState();
  usePlan();
  return (
    <div className="banners">
      <GoneBanner />
      {isSample ? <SampleBanner /> : null}
      {data ? <StateBanners state={data} kept={count} /> : null}
    </div>
  );
}

const goneWords: Readonly<Record<Exclude<Contact, 'here'>, readonly [title: string, rest: string]>> = {
  gone: ['Platbook has stopped.', 'Start it again: this page goes on by itself, and nothing is lost.'],
  strange: [
    'Platbook was started again, and does not know this window.',
    'Open the link that it prints, in this browser: this page then goes on by itself.',
  ],
};

/** The only word about an engine that does not answer. */
export function GoneBanner() {
  const { state } = useStore(contact);
  if (state === 'here') return null;
  const [title, rest] = goneWords[state];
  return (
    <Banner icon={PlugZap} label={title} kind="bad">
      <b>{title}</b> {rest}
    </Banner>
  );
}

/** What goes wrong now, for a screen without the other banners. */
export function TroubleBanners() {
  const { data, count } = useHomeState();
  return (
    <>
      <GoneBanner />
      <HindranceBanner state={data} kept={count} />
    </>
  );
}

/** What other programs did meanwhile is not known. */
function useFreshAfterGap(state: Contact): void {
  const queries = useQueryClient();
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== 'here' && state === 'here') void queries.invalidateQueries();
    before.current = state;
  }, [state, queries]);
}

const titles: Readonly<Record<Hindrance['kind'], string>> = {
  full: 'The disk is full.',
  locked: 'Another program holds your file.',
  read_only: 'The data folder cannot be written.',
  trouble: 'The disk does not respond properly.',
};

function committedWords(kept: number): string {
  if (kept === 0) return 'Nothing is lost.';
  const what = kept === 1 ? 'Your last change is' : `Your last ${formatNumber(kept)} changes are`;
  return `${what} kept in memory and nothing is lost: Platbook writes it once it can.`;
}

function HindranceBanner({ state, kept }: { state: HomeState | undefined; kept: number }) {
  const hindrance = state?.hindrance ?? null;
  return hindrance ? (
    <Banner icon={HardDrive} label={titles[hindrance.kind]} kind="bad">
      <b>{titles[hindrance.kind]}</b> {hindrance.words} {committedWords(kept)}
      {hindrance.kind === 'full' ? ' Free 200 MB on it.' : ''}
    </Banner>
  ) : null;
}

function StateBanners({ state, kept }: { state: HomeState; kept: number }) {
  const [closed, setClosed] = useState<readonly string[]>([]);
  const close = (name: string) => () => setClosed((before) => [...before, name]);
  const { synced, old } = state;
  const { data: listener } = useRead('listener', {});
  const problem = listener?.problem ?? null;
  return (
    <>
      <HindranceBanner state={state} kept={kept} />
      {synced !== null && !closed.includes('synced') ? (
        <Banner icon={CloudOff} label="This folder is synced" onClose={close('synced')}>
          <b>This folder is synced.</b> {synced}{' '}
          <button type="button" className="link" onClick={() => goTo('settings')}>
            Where it is
          </button>
        </Banner>
      ) : null}
      {problem !== null && !closed.includes(problem) ? (
        <Banner icon={PlugZap} label="The API is off" onClose={close(problem)}>
          <b>The API is off.</b> {problem} Everything in this window works.{' '}
          <button type="button" className="link" onClick={() => goTo('settings')}>
            Choose another port
          </button>
        </Banner>
      ) : null}
      {old
        .filter(({ fips }) => !closed.includes(fips))
        .map(({ fips, county, months }) => (
          <Banner key={fips} icon={CalendarClock} label={`Age of ${county}’s data`} kind="plain" onClose={close(fips)}>
            {county}’s data is <b>{months} months</b> old.{' '}
            <button type="button" className="link" onClick={() => goTo('import')}>
              Import a newer file
            </button>
          </Banner>
        ))}
    </>
  );
}

interface BannerProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly kind?: 'warn' | 'bad' | 'plain';
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

const Banner = ({ icon: Icon, label, kind = 'warn', onClose, children }: BannerProps) => (
  <section className="banner" data-kind={kind} aria-label={label}>
    <Icon aria-hidden />
    <p className="grow" role={kind === 'bad' ? 'alert' : undefined}>
      {children}
    </p>
    {onClose ? (
      <button type="button" className="button icon" aria-label={`Close: ${label}`} onClick={onClose}>
        <X aria-hidden />
      </button>
    ) : null}
  </section>
);
