/** Banners over every screen: the sample, and problems with the disk, the folder or old data. */
import { CalendarClock, CloudOff, HardDrive, type LucideIcon, PlugZap, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { formatNumber } from '../parts/format.ts';
import { useRead } from '../state/client-context.tsx';
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

export function Banners({ isSample }: { isSample: boolean }) {
  const { data, refetch } = useRead('home_state', {});
  const { count } = useStore(keptChanges);
  usePlan();
  const isUrgent = count > 0 || data?.hindrance !== null;
  useEffect(() => {
    void refetch();
    const timer = setInterval(() => void refetch(), isUrgent ? askSoonMilliseconds : askMilliseconds);
    return () => clearInterval(timer);
  }, [isUrgent, refetch]);
  return (
    <div className="banners">
      {isSample ? <SampleBanner /> : null}
      {data ? <StateBanners state={data} kept={count} /> : null}
    </div>
  );
}

const titles: Readonly<Record<Hindrance['kind'], string>> = {
  full: 'The disk is full.',
  locked: 'Another program holds your file.',
  read_only: 'The data folder cannot be written.',
  trouble: 'The disk does not respond properly.',
};

function keptWords(kept: number): string {
  if (kept === 0) return 'Nothing is lost.';
  const what = kept === 1 ? 'Your last change is' : `Your last ${formatNumber(kept)} changes are`;
  return `${what} kept in memory and nothing is lost: Platbook writes it once it can.`;
}

function StateBanners({ state, kept }: { state: HomeState; kept: number }) {
  const [closed, setClosed] = useState<readonly string[]>([]);
  const close = (name: string) => () => setClosed((before) => [...before, name]);
  const { hindrance, synced, old } = state;
  const { data: listener } = useRead('listener', {});
  const problem = listener?.problem ?? null;
  return (
    <>
      {hindrance ? (
        <Banner icon={HardDrive} label={titles[hindrance.kind]} kind="bad">
          <b>{titles[hindrance.kind]}</b> {hindrance.words} {keptWords(kept)}
          {hindrance.kind === 'full' ? ' Free 200 MB on it.' : ''}
        </Banner>
      ) : null}
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
