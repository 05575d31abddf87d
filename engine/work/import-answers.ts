/** What the jobs and changes of an import answer, for the screen that shows it. Types alone. */
export type { EnrichReport } from '../enrichment/enrich.ts';
export type { Waiting } from '../enrichment/waiting.ts';
export type { ContactImportReport } from '../importing/contact-report.ts';
export type { ImportReport } from '../importing/import-report.ts';
export type { ListChoices, ListField, ListKind, ListProposal } from '../importing/list-proposal.ts';
export type { Look, LookedColumn, LookedLayer } from '../importing/look.ts';
export type { Expression, ExpressionObject, Mapping } from '../importing/mapping-schema.ts';
export type { ImportPlanReport } from '../importing/plan-import.ts';
export type { Proposal, ProposedColumn, UnmappedColumn } from '../importing/profiles/propose-mapping.ts';
export type { MappingSample } from '../importing/profiles/sample-mapping.ts';
export type { StatewideReport } from '../importing/statewide.ts';
export type { UndoReport } from '../importing/undo-import.ts';
export type { JobStatus } from '../jobs/job.ts';
