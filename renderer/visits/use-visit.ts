/** The visit that is filled in: a new one, with what its day holds, or one that is kept. */
import { useRef, useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import type { Visit } from '../../engine/spec/visits.ts';
import { useClient } from '../state/client-context.tsx';
import { tried } from '../state/toasts.ts';
import { makeChange } from '../work/make-change.ts';

export interface VisitsThere {
  readonly propertyId: number;
  /** Of the last day with photos or a track. */
  readonly first: ReadOutputOf<'visit_draft'>;
  /** The newest first; a day may have several. */
  readonly kept: ReadOutputOf<'visits'>['visits'];
}

export function useVisit({ propertyId, first, kept }: VisitsThere) {
  const client = useClient();
  const newest = kept.find(({ visit: { day } }) => day === first.visit.day);
  const [visitId, setVisitId] = useState(newest?.visit_id ?? null);
  const [visit, setVisit] = useState<Visit>(newest?.visit ?? first.visit);
  const [all, setAll] = useState<Visit>(first.visit);
  const wanted = useRef(first.visit.day);
  /** @param then is not called if another day is asked for meanwhile */
  const withDay = (day: string, then: (draft: Visit) => void) =>
    tried(async () => {
      wanted.current = day;
      const { visit: draft } = await client.read('visit_draft', { parcels: [propertyId], day });
      if (wanted.current !== day) return;
      setAll(draft);
      then(draft);
    });
  return {
    visit,
    visitId,
    /** With all photos and tracks of the day. */
    all,
    set: (part: Partial<Visit>) => setVisit({ ...visit, ...part }),
    setTime: (name: 'started' | 'ended', at: string) => setVisit(timed(visit, name, at)),
    moveTo: (day: string) => withDay(day, (draft) => setVisit((before) => ofDay(before, draft))),
    /** @param id null: a new one */
    open: (id: number | null) => {
      const one = kept.find(({ visit_id: known }) => known === id)?.visit;
      return withDay(one?.day ?? first.visit.day, (draft) => {
        setVisitId(one ? id : null);
        setVisit(one ?? draft);
      });
    },
    /** @returns whether it is kept */
    keep: async (filled: Visit): Promise<boolean> => {
      const done = await makeChange(client, 'keep_visit', {
        ...filled,
        ...(visitId !== null && { visit_id: visitId }),
      });
      if (done) setVisitId(done.data.visit_id);
      return done !== null;
    },
  };
}

/** Absent if it is not told. */
function timed(visit: Visit, name: 'started' | 'ended', at: string): Visit {
  const { [name]: _before, ...rest } = visit;
  return at === '' ? rest : { ...rest, [name]: at };
}

/** The same form with the photos, the way and the times of another day. */
function ofDay({ started: _started, ended: _ended, ...form }: Visit, draft: Visit): Visit {
  const { answers: _answers, photo_places: _places, ...day } = draft;
  return { ...form, ...day, parcels: form.parcels };
}
