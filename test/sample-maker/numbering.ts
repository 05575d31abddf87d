/** Map sheets, lot numbers and plans: how the county names its parcels. */
import type { Shape } from './land.ts';
import { at, bounds } from './plane.ts';
import type { Random } from './random.ts';
import { subdivisionNames } from './words.ts';

export interface Numbered {
  readonly apn: string;
  readonly sheet: number;
  readonly lot: number;
  /** Within a lot that was divided; null when it was not. */
  readonly sub: number | null;
  readonly subdivision: string | null;
  /** Number of the recorded plan that shows the lot. */
  readonly plan: number | null;
}

/** Sheets hold similar numbers of lots, so those of a town are small and those of the hills large. */
function sheetsOf(lots: readonly Shape[], count: number): number[] {
  const sheets = new Array<number>(lots.length).fill(0);
  let next = 1;
  const divide = (members: number[], wanted: number): void => {
    if (wanted <= 1 || members.length < 2) {
      for (const member of members) sheets[member] = next;
      next += 1;
      return;
    }
    const middles = members.map((member) => at(lots, member).middle);
    const box = bounds(middles);
    const wide = box.maxX - box.minX > box.maxY - box.minY;
    const sorted = members.toSorted((a, b) => {
      const [p, q] = [at(lots, a).middle, at(lots, b).middle];
      return wide ? p.x - q.x : q.y - p.y;
    });
    const first = Math.floor(wanted / 2);
    const cut = Math.round((sorted.length * first) / wanted);
    divide(sorted.slice(0, cut), first);
    divide(sorted.slice(cut), wanted - first);
  };
  divide(
    lots.map((_, i) => i),
    count,
  );
  return sheets;
}

interface BlockPlan {
  readonly subdivision: string | null;
  readonly plan: number | null;
  /** The whole block was once one lot: its lots are numbered below that lot's number. */
  readonly divided: boolean;
}

function planBlocks(lots: readonly Shape[], random: Random): Map<number, BlockPlan> {
  const plans = new Map<number, BlockPlan>();
  let named = 0;
  for (const [block, members] of Map.groupBy(lots, (lot) => lot.block)) {
    const small = block >= 0 && members.length >= 4 && at(members, members.length >> 1).acres < 2.2;
    const inGrid = members.some((lot) => lot.inGrid);
    const subdivision = small && random.chance(inGrid ? 0.45 : 0.75) ? subdivisionName(named++) : null;
    plans.set(block, {
      subdivision,
      plan: subdivision || random.chance(0.45) ? random.integer(310, 2990) : null,
      divided: small && members.length < 40 && random.chance(inGrid ? 0.06 : 0.4),
    });
  }
  return plans;
}

function subdivisionName(index: number): string {
  const phase = Math.floor(index / subdivisionNames.length) + 1;
  return at(subdivisionNames, index) + (phase > 1 ? ` PHASE ${phase}` : '');
}

/** At least fourteen sheets, so that the telling APNs on sheets 3, 10 and 12 always exist. */
export function numberLots(lots: readonly Shape[], random: Random): Numbered[] {
  const sheets = sheetsOf(lots, Math.max(14, Math.round(lots.length / 255)));
  const plans = planBlocks(lots, random);
  const nextLot = new Map<number, number>();
  const groups = new Map<string, { lot: number; sub: number }>();
  const numbered = lots.map((shape, i): Numbered => {
    const sheet = at(sheets, i);
    const plan = plans.get(shape.block) ?? { subdivision: null, plan: null, divided: false };
    const key = `${sheet}/${shape.block}`;
    const group = plan.divided ? groups.get(key) : undefined;
    if (group) {
      group.sub += 1;
      return {
        ...plan,
        sheet,
        lot: group.lot,
        sub: group.sub,
        apn: `${sheet}-${group.lot}-${String(group.sub).padStart(2, '0')}`,
      };
    }
    // Numbers of lots that were merged long ago stay unused.
    const lot = (nextLot.get(sheet) ?? 0) + (random.chance(0.06) ? random.integer(2, 4) : 1);
    nextLot.set(sheet, lot);
    if (plan.divided) groups.set(key, { lot, sub: 0 });
    return { ...plan, sheet, lot, sub: null, apn: `${sheet}-${lot}` };
  });
  return withDoubles(withLookalikes(numbered), random);
}

/**
 * `12-201` and `12-2-01` are two lots that become one when reduced to letters and digits, and spreadsheets read `3-12`
 * and `10-11` as dates. Real counties have all of them, so the sample must.
 */
const tellingApns = ['12-201', '12-2-01', '3-12', '10-11'] as const;

function withLookalikes(numbered: readonly Numbered[]): Numbered[] {
  const out = [...numbered];
  for (const apn of tellingApns) {
    if (out.some((row) => row.apn === apn)) continue;
    const [sheet, lot] = apn.split('-').map(Number);
    const index = out.findLastIndex(
      (row) => row.sheet === sheet && !tellingApns.some((telling) => telling === row.apn),
    );
    const row = out[index];
    if (row) out[index] = { ...row, apn, lot: lot ?? row.lot };
  }
  return out;
}

/** A few numbers the county assigned twice, each time to two adjacent lots. */
function withDoubles(numbered: readonly Numbered[], random: Random): Numbered[] {
  const out = [...numbered];
  const wanted = Math.min(10, Math.floor(out.length / 60));
  const taken = new Set<number>();
  while (taken.size < wanted * 2) {
    const i = random.integer(0, out.length - 2);
    const [a, b] = [at(out, i), at(out, i + 1)];
    const telling = [a, b].some((row) => tellingApns.some((apn) => apn === row.apn));
    if (telling || a.sheet !== b.sheet || taken.has(i) || taken.has(i + 1)) continue;
    taken.add(i).add(i + 1);
    out[i + 1] = { ...b, apn: a.apn, lot: a.lot };
  }
  return out;
}
