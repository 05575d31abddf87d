/** Deals: the eight stages in their order, what a timeline holds, and which days are due. */

export const dealStages = [
  { name: 'watching', label: 'Watching', isEnd: false },
  { name: 'to_mail', label: 'To mail', isEnd: false },
  { name: 'mailed', label: 'Mailed', isEnd: false },
  { name: 'replied', label: 'Replied', isEnd: false },
  { name: 'offer_made', label: 'Offer made', isEnd: false },
  { name: 'under_contract', label: 'Under contract', isEnd: false },
  { name: 'closed', label: 'Closed', isEnd: true },
  { name: 'dropped', label: 'Dropped', isEnd: true },
] as const;

export type DealStage = (typeof dealStages)[number]['name'];

export const stageNames = dealStages.map(({ name }) => name);
export const openStages: readonly DealStage[] = dealStages.flatMap(({ name, isEnd }) => (isEnd ? [] : [name]));
/** Before the first letter a deal weighs what its land is worth, then what was offered. */
export const stagesByValue: readonly DealStage[] = ['watching', 'to_mail'];

export const stageLabel = (stage: string): string => dealStages.find(({ name }) => name === stage)?.label ?? stage;

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** `Under contract`, `under_contract`, `UNDER CONTRACT` → under_contract; null for anything else. */
export const stageOfText = (text: string): DealStage | null =>
  dealStages.find(({ name }) => plain(name) === plain(text))?.name ?? null;

/** What the change itself writes (stage, offer, agreed), and what a person logs. */
export const loggedByHand = ['call', 'mail', 'reply', 'visit', 'note'] as const;
export const logKinds = ['stage', 'offer', 'agreed', ...loggedByHand] as const;

export const dueGroups = ['overdue', 'today', 'week', 'later', 'none'] as const;
export type Due = (typeof dueGroups)[number];

/** The Sunday that ends the week of a day; a week begins on Monday. */
export function endOfWeek(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + ((7 - date.getUTCDay()) % 7));
  return date.toISOString().slice(0, 10);
}

/** `week`: after today, until Sunday. */
export function dueOf(next: string | null, today: string): Due {
  if (next === null) return 'none';
  if (next < today) return 'overdue';
  if (next === today) return 'today';
  return next <= endOfWeek(today) ? 'week' : 'later';
}

/** A next step of 1926 is a slip of the finger. */
export const firstDealDay = '2000-01-01';
export const lastDealDay = '2099-12-31';
